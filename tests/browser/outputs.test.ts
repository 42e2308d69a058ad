import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../packages/server/src/testing/eventually.ts';
import { accessibilityProblems } from '../support/accessibility.ts';
import { openBrowser, whyNoBrowser } from '../support/browser.ts';
import { callApi, KNOWN_PASSWORD } from '../support/node-api.ts';
import { type NodeProcess, startNode } from '../support/node-process.ts';
import { ALL_MESSAGES, attachOutputs, outputState } from '../support/output-api.ts';
import { outputsPage } from '../support/outputs-page.ts';
import { startTcpSink } from '../support/tcp-sink.ts';
import { tooWide } from '../support/too-wide.ts';
import { loginForm, openWatchedPage } from '../support/web-page.ts';

const noBrowser = whyNoBrowser();
const HOSTILE = '<img src=x onerror=alert(1)> 🦊 \u202eevil';

describe.skipIf(noBrowser)(`the pages of outputs in Chromium${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  let node: NodeProcess;
  let browser: Browser;
  let address: string;
  let gelf: string;

  beforeAll(async () => {
    node = startNode({}, { env: KNOWN_PASSWORD });
    [address, browser] = await Promise.all([node.ready(), openBrowser()]);
    gelf = (await node.printed(/GELF HTTP +(http\S+)/))[1] ?? '';
  });
  afterAll(async () => {
    await browser?.close();
    node?.kill();
    await node?.exited();
  });

  async function open(path: string, options: BrowserContextOptions = {}, user = 'admin', password = 'river') {
    const opened = await openWatchedPage(browser, address, { reducedMotion: 'reduce', ...options });
    await opened.page.goto(path);
    await loginForm(opened.page).logIn(user, password);
    await opened.page.getByRole('heading', { name: 'Log in' }).waitFor({ state: 'hidden' });
    return { ...opened, outputs: outputsPage(opened.page) };
  }
  async function send(text: string) {
    const body = JSON.stringify({ version: '1.1', host: 'h', short_message: text });
    expect((await fetch(gelf, { method: 'POST', body })).status).toBe(202);
  }
  async function createOutput(title: string, port: number): Promise<string> {
    const configuration = { hostname: '127.0.0.1', port };
    const { status, body } = await callApi(address, 'POST', '/system/outputs', {
      title,
      type: 'gelf',
      configuration,
    });
    expect(status).toBe(201);
    return body.id;
  }
  async function addUser(username: string, permissions: string[]) {
    await callApi(address, 'POST', '/users', {
      username,
      password: 'reader-river',
      email: `${username}@example.org`,
      full_name: username,
      roles: ['Reader'],
      permissions,
    });
  }

  test('an output is made, attached, paused with what waits, resumed, changed and deleted', async () => {
    const sink = await startTcpSink();
    const { page, complaints, outputs } = await open('/outputs');
    await page.getByText('Nothing is forwarded').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('link', { name: 'New output' }).first().click();
    await page.getByRole('combobox', { name: 'Type' }).click();
    await page.getByRole('option', { name: /^GELF/ }).first().click();
    await outputs.title.fill('Archive');
    await page.getByRole('textbox', { name: /host/i }).fill('127.0.0.1');
    await page.getByRole('textbox', { name: /^(?:Destination )?port/i }).fill(String(sink.port));
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Create' }).click();

    await page.getByText('No stream uses this output').waitFor();
    await outputs.attach('All messages');
    await page.getByRole('table', { name: 'Streams' }).getByText('All messages').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await send('one');
    await eventually(async () => expect(sink.frames.join()).toContain('"one"'), { timeoutMs: 60_000 });

    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('paused', { exact: true }).first().waitFor();
    await outputs.openTab('State');
    await page.getByText('Paused: messages wait in the queue').waitFor();
    await send('two');
    await page.goto('/outputs');
    await outputs.row('Archive').getByText(/^1 \(/).waitFor();
    await outputs.row('Archive').getByText('All messages').waitFor();
    expect(sink.frames.join()).not.toContain('"two"');
    await outputs.row('Archive').getByRole('button', { name: 'Resume' }).click();
    await outputs.row('Archive').getByText('running').waitFor();
    await eventually(async () => expect(sink.frames.join()).toContain('"two"'), { timeoutMs: 60_000 });
    await outputs.row('Archive').getByText('empty').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);

    await outputs.row('Archive').getByRole('link', { name: 'Archive' }).click();
    await outputs.openTab('Settings');
    await outputs.title.fill('Long archive');
    const path = `/system/outputs/${page.url().match(/outputs\/(\w+)/)?.[1]}`;
    await callApi(address, 'PUT', path, { title: 'Theirs' });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Somebody else has changed this output since you opened it.').waitFor();
    await page.getByRole('button', { name: 'Overwrite with mine' }).click();
    await page.getByRole('heading', { name: 'Long archive' }).waitFor();
    await page.getByRole('button', { name: 'Save' }).and(page.locator(':focus')).waitFor();
    await outputs.title.fill('Not saved');
    await outputs.openTab('Streams');
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: 'Stay' }).click();
    await question.waitFor({ state: 'hidden' });
    expect(await outputs.title.inputValue()).toBe('Not saved');
    await outputs.title.fill('Long archive');
    await outputs.openTab('Streams');
    await page.getByRole('button', { name: 'Detach' }).click();
    await page.getByRole('form').getByRole('button', { name: 'Detach' }).click();
    await page.getByText('No stream uses this output').waitFor();
    await outputs.openTab('Settings');
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByText(/Its settings are lost\. No stream uses it\./).waitFor();
    await page.getByRole('form').getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL('**/outputs');
    await page.getByText('Nothing is forwarded').waitFor();
    expect(complaints.filter((text) => !text.includes('409'))).toEqual([]);
    await page.context().close();
    await sink.stop();
  });

  test('an output that cannot send says why; what waits in it is lost only when its title is typed', async () => {
    const id = await createOutput('Nowhere', 1);
    await attachOutputs(address, ALL_MESSAGES, id);
    await send('lost');
    await eventually(async () => expect((await outputState(address, id)).queued_messages).toBe(1), {
      timeoutMs: 60_000,
    });
    const { page, complaints, outputs } = await open('/outputs', { colorScheme: 'dark' });
    const row = outputs.row('Nowhere');
    await row.getByText(/cannot connect to 127.0.0.1:1/i).waitFor();
    await row.getByText(/^oldest /).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await row.getByRole('link', { name: 'Nowhere' }).click();
    await page
      .getByRole('alert')
      .getByText(/cannot connect to 127.0.0.1:1/i)
      .waitFor();
    await page.getByRole('region', { name: 'Last error' }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.goto('/outputs');
    await row.getByRole('button', { name: 'More for Nowhere' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page
      .getByText(/so is 1 message that is not delivered yet\. 1 stream sends nothing to it/)
      .waitFor();
    const confirm = page.getByRole('form').getByRole('button', { name: 'Delete' });
    expect(await confirm.isDisabled()).toBe(true);
    await page.getByLabel('Type Nowhere to confirm').fill('Nowhere');
    await confirm.click();
    await row.first().waitFor({ state: 'hidden' });
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('readers see what they may, hostile names are text, on a phone too', async () => {
    const id = await createOutput(`${HOSTILE} ${'x'.repeat(150)}`, 1);
    await attachOutputs(address, ALL_MESSAGES, id);
    await addUser('rea', []);
    await addUser('ona', ['outputs:read', 'stream_outputs:read']);
    const stranger = await open('/outputs', {}, 'rea', 'reader-river');
    await stranger.page.getByText('Needs outputs:read. Ask an administrator.').waitFor();
    expect(await stranger.page.getByRole('link', { name: 'Outputs' }).count()).toBe(0);
    expect(stranger.complaints).toEqual([]);
    await stranger.page.context().close();

    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;
    const reader = await open('/outputs?find=onerror', phone, 'ona', 'reader-river');
    const { page, complaints, outputs } = reader;
    await outputs.row('<img src=x onerror=alert(1)>').waitFor();
    expect(await tooWide(page)).toEqual([]);
    expect(await accessibilityProblems(page)).toEqual([]);
    await outputs.row('onerror').getByRole('link').first().tap();
    await page.getByRole('heading', { name: /onerror/ }).waitFor();
    expect(await page.getByRole('button', { name: 'Pause' }).getAttribute('aria-disabled')).toBe('true');
    await outputs.openTab('Streams');
    // The stream that uses it may not be read, so it is not named.
    await page.getByText('No stream that you may read uses this output').waitFor();
    await outputs.openTab('Settings');
    await page.getByText('Needs outputs:edit for this output. Ask an administrator.').waitFor();
    expect(await tooWide(page)).toEqual([]);
    await page.goto('/outputs/new');
    await page.getByText('Needs outputs:create. Ask an administrator.').waitFor();
    await page.goto('/system/outputs');
    await outputs.row('onerror').waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
