import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../packages/server/src/testing/eventually.ts';
import { accessibilityProblems } from '../support/accessibility.ts';
import { openBrowser, whyNoBrowser } from '../support/browser.ts';
import { extractorsPage } from '../support/extractors-page.ts';
import { callApi, KNOWN_PASSWORD } from '../support/node-api.ts';
import { type NodeProcess, startNode } from '../support/node-process.ts';
import { tooWide } from '../support/too-wide.ts';
import { loginForm, openWatchedPage } from '../support/web-page.ts';

const noBrowser = whyNoBrowser();
const HOSTILE = '<img src=x onerror=alert(1)> 🦊 \u202eevil';
const HOSTILE_START = '<img src=x onerror=alert(1)>';

describe.skipIf(noBrowser)(`extractors of an input in Chromium${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  let node: NodeProcess;
  let browser: Browser;
  let address: string;

  beforeAll(async () => {
    node = startNode({}, { env: KNOWN_PASSWORD });
    [address, browser] = await Promise.all([node.ready(), openBrowser()]);
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
    return { ...opened, extractors: extractorsPage(opened.page) };
  }

  async function createInput(title: string): Promise<string> {
    const { status, body } = await callApi(address, 'POST', '/system/inputs', {
      title,
      type: 'org.graylog2.inputs.gelf.http.GELFHttpInput',
      global: true,
      configuration: { bind_address: '127.0.0.1', port: 0 },
    });
    expect(status).toBe(201);
    return body.id;
  }

  /** Its fields, once it is stored. */
  async function send(inputId: string, message: string): Promise<Record<string, unknown>> {
    const { port } = await eventually(async () => {
      const { body } = await callApi(address, 'GET', `/system/inputstates/${inputId}`);
      expect(body.listening?.port).toBeGreaterThan(0);
      return body.listening;
    });
    const sent = await fetch(`http://127.0.0.1:${port}/gelf`, {
      method: 'POST',
      body: JSON.stringify({ version: '1.1', host: 'web-1', short_message: message }),
    });
    expect(sent.status).toBe(202);
    return eventually(async () => {
      const { body } = await callApi(address, 'POST', '/messages/search', {
        query: `gl2_source_input:${inputId} AND message:"${message}"`,
        streams: [],
        timerange: { type: 'relative', range: 0 },
        limit: 1,
      });
      expect(body.messages).toHaveLength(1);
      return body.messages[0].message;
    });
  }

  test('another type keeps what was typed, converters too, and leaving is asked about', async () => {
    const inputId = await createInput('Types');
    const { page, complaints, extractors } = await open(`/inputs/${inputId}?tab=extractors`);
    await extractors.press('New extractor');
    await extractors.fill('Title', 'Status');
    await extractors.fill('Regular expression', 'status=(\\d+)');
    await extractors.choose('Add a converter', 'Numeric');
    await extractors.choose('Type', 'Grok pattern');
    await page.getByLabel('Grok pattern', { exact: true }).waitFor();
    expect(await page.getByLabel('Title', { exact: true }).inputValue()).toBe('Status');
    await page.getByRole('button', { name: 'Remove the converter Numeric' }).waitFor();
    await page.getByRole('tab', { name: 'Static fields' }).click();
    await page.getByText('Leave without saving?').waitFor();
    await extractors.press('Stay');
    await extractors.press('Import');
    await extractors.press('Stay');
    await extractors.choose('Type', 'Regular expression');
    const expression = page.getByRole('textbox', { name: 'Regular expression', exact: true });
    await expression.waitFor();
    expect(await expression.inputValue()).toBe('status=(\\d+)');
    await extractors.fill('Target field', 'status');
    await extractors.press('Create');
    await extractors.row('Status').getByText('then Numeric').waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('an extractor is tried on a message of the input while it is written; it works on the next one', async () => {
    const inputId = await createInput('Shop');
    await send(inputId, 'GET /cart status=404');
    const { page, complaints, extractors } = await open(`/inputs/${inputId}?tab=extractors`);
    await page.getByText('This input has no extractors').waitFor();
    await extractors.press('New extractor');
    await page.getByText('Waits until the form is complete.').waitFor();
    await extractors.fill('Title', 'Status');
    await extractors.fill('Regular expression', 'status=(\\d+)');
    await extractors.fill('Target field', 'status');
    await extractors.trial.getByText('404', { exact: true }).waitFor();
    await extractors.choose('Add a converter', 'Numeric');
    await extractors.choose('Reads', 'texts that contain');
    await extractors.fill('Text or expression', 'order');
    await extractors.trial.getByText('It does not read this message.').waitFor();
    await extractors.fill('Text or expression', 'status');
    await extractors.trial.getByText('status', { exact: true }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);

    // What is not saved is not lost by a click on another tab.
    await page.getByRole('tab', { name: 'Static fields' }).click();
    await page.getByText('Leave without saving?').waitFor();
    await extractors.press('Stay');
    await extractors.press('Create');
    await page.getByText('Extractor Status saved').waitFor();
    await extractors.row('Status').getByText('only if it contains “status”').waitFor();
    await extractors.row('Status').getByText('then Numeric').waitFor();

    await extractors.press('New extractor');
    await extractors.choose('Type', 'Grok pattern');
    await extractors.fill('Title', 'Request');
    await extractors.fill('Grok pattern', '%{WORD:method} %{NOTSPACE:path}');
    await extractors.trial.getByText('/cart').waitFor();
    await extractors.press('Create');
    await extractors.row('Request').waitFor();
    expect(await extractors.titles()).toEqual(['Status', 'Request']);
    await extractors.press('Move Request up');
    await eventually(async () => expect(await extractors.titles()).toEqual(['Request', 'Status']));
    expect(await accessibilityProblems(page)).toEqual([]);

    expect(await send(inputId, 'PUT /order status=201')).toMatchObject({
      method: 'PUT',
      path: '/order',
      status: 201,
    });
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('two people who change the same one are told; extractors are deleted, exported and imported', async () => {
    const inputId = await createInput('Two people');
    const status = {
      title: 'Status',
      extractor_type: 'regex',
      extractor_config: { regex_value: 'status=(\\d+)' },
      source_field: 'message',
      target_field: 'status',
    };
    const path = `/system/inputs/${inputId}/extractors`;
    const { body } = await callApi(address, 'POST', path, status);
    const { page, extractors } = await open(`/inputs/${inputId}?tab=extractors`, { colorScheme: 'dark' });
    await extractors.press('Status');
    await extractors.fill('Title', 'Mine');
    await callApi(address, 'PUT', `${path}/${body.extractor_id}`, { ...status, title: 'Theirs' });
    await extractors.press('Save');
    await page.getByText('Changed meanwhile').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await extractors.press('Reload theirs');
    await page
      .getByRole('textbox', { name: 'Title', exact: true })
      .and(page.locator('[value=Theirs]'))
      .waitFor();
    await extractors.fill('Title', 'Mine');
    await extractors.press('Save');
    await extractors.row('Mine').waitFor();

    const downloaded = page.waitForEvent('download');
    await extractors.press('Export');
    expect((await downloaded).suggestedFilename()).toBe('extractors.json');
    await extractors.press('Delete Mine');
    await extractors.press('Delete');
    await page.getByText('This input has no extractors').waitFor();

    await extractors.press('Import');
    await extractors.fill('Export', '{"extractors": ');
    await page.getByText('This is no export').waitFor();
    await extractors.press('New extractor');
    await extractors.press('Stay');
    const unknown = { ...status, title: 'Odd', extractor_type: 'no_such_type' };
    await extractors.fill('Export', JSON.stringify({ extractors: [status, unknown], version: '3.1' }));
    expect(await accessibilityProblems(page)).toEqual([]);
    await extractors.press('Import 2 extractors');
    await page.getByText('1 extractor could not be imported').waitFor();
    await page.getByText('"no_such_type" is not a type of extractor').waitFor();
    await extractors.row('Status').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.context().close();
  });

  test('many extractors are found and paged by the server; one moves from page to page', async () => {
    const inputId = await createInput('Many');
    const path = `/system/inputs/${inputId}/extractors`;
    const titleOf = (at: number) => `many ${String(at).padStart(3, '0')}`;
    for (let order = 0; order < 55; order += 1) {
      const { status } = await callApi(address, 'POST', path, {
        title: titleOf(order),
        cut_or_copy: 'copy',
        source_field: 'message',
        target_field: 'found',
        extractor_type: 'regex',
        extractor_config: { regex_value: '(x)' },
        converters: {},
        condition_type: 'none',
        condition_value: '',
        order,
      });
      expect(status).toBe(201);
    }
    const { page, complaints } = await open(`/inputs/${inputId}?tab=extractors`);
    const shown = (title: string) => page.getByRole('button', { name: title, exact: true });
    await page.getByText('1–50 of 55 extractors').waitFor();
    await shown(titleOf(0)).waitFor();
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    await shown(titleOf(50)).waitFor();
    await shown(`Move ${titleOf(50)} up`).click();
    await shown(titleOf(49)).waitFor();
    const { body } = await callApi(address, 'GET', `${path}?skip=49&limit=2`);
    expect(body.extractors.map(({ title }: { title: string }) => title)).toEqual([titleOf(50), titleOf(49)]);

    await page.getByLabel('Find an extractor').fill('054');
    await shown(titleOf(49)).waitFor({ state: 'detached' });
    await shown(titleOf(54)).waitFor();
    // Among those that were found there is no order to change.
    expect(await shown(`Move ${titleOf(54)} up`).getAttribute('aria-disabled')).toBe('true');
    // The mouse still stands where the arrow was pressed: its tooltip says why.
    await page.mouse.move(0, 0);
    await page.getByRole('tooltip').waitFor({ state: 'hidden' });
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByLabel('Find an extractor').fill('nothing like it');
    await page.getByText('No extractor has “nothing like it” in its title, fields or type').waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('every type and converter has a form; a reader sees hostile titles as text, on a phone', async () => {
    const inputId = await createInput('Forms');
    const { page, complaints, extractors } = await open(`/inputs/${inputId}?tab=extractors`);
    const { body: types } = await callApi(address, 'GET', '/system/extractors/types');
    await extractors.press('New extractor');
    for (const { name, description } of types.types as { name: string; description: string }[]) {
      await extractors.choose('Type', name);
      await page.getByText(description, { exact: true }).waitFor();
    }
    for (const { name } of types.converters as { name: string }[]) {
      await extractors.choose('Add a converter', name);
      await page.getByRole('button', { name: `Remove the converter ${name}`, exact: true }).waitFor();
    }
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await page.context().close();

    await callApi(address, 'POST', `/system/inputs/${inputId}/extractors`, {
      title: HOSTILE,
      extractor_type: 'copy_input',
      source_field: 'message',
      target_field: 'copy',
      condition_type: 'string',
      condition_value: HOSTILE,
    });
    await callApi(address, 'POST', '/users', {
      username: 'lou',
      email: 'lou@example.org',
      full_name: 'lou',
      password: 'reader-river',
      roles: ['Reader'],
      permissions: ['inputs:read'],
    });
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;
    const reader = await open(`/inputs/${inputId}?tab=extractors`, phone, 'lou', 'reader-river');
    const refused: string[] = [];
    reader.page.on('response', (answer) => {
      if (answer.status() === 403) refused.push(answer.url());
    });
    await reader.extractors.row(HOSTILE_START).getByRole('button', { name: HOSTILE_START }).first().click();
    await reader.page.getByRole('button', { name: 'Save', exact: true }).waitFor();
    await reader.page.getByText('No message is stored yet.').waitFor();
    expect(await tooWide(reader.page)).toEqual([]);
    expect(await accessibilityProblems(reader.page)).toEqual([]);
    expect([refused, reader.complaints]).toEqual([[], []]);
    await reader.page.context().close();
  });
});
