import { execFile } from 'node:child_process';
import dgram from 'node:dgram';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import type { InputState } from '@millrace/contract';
import { describe, expect, test } from 'vitest';
import { eventually } from '../../packages/server/src/testing/eventually.ts';
import { accessibilityProblems } from '../support/accessibility.ts';
import { whyNoBrowser } from '../support/browser.ts';
import { freePort } from '../support/free-port.ts';
import { inputsPage } from '../support/inputs-page.ts';
import { copyInputs } from '../support/many-inputs.ts';
import { callApi } from '../support/node-api.ts';
import { type NodeInBrowser, nodeInBrowser } from '../support/node-in-browser.ts';
import { searchPage } from '../support/search-page.ts';
import { tooWide } from '../support/too-wide.ts';
import { hasFocus, hoverFor, leaveWithMouse, loginForm, pressTogether, tabTo } from '../support/web-page.ts';

const run = promisify(execFile);
const noBrowser = whyNoBrowser();
const HOSTILE = '<img src=x onerror=alert(1)> 🦊 \u202eevil';
/** The shell's example of GELF HTTP needs curl. */
const PASTED = existsSync('/usr/bin/curl')
  ? { label: 'Shell', program: '/bin/sh', flags: ['-c'] }
  : { label: 'Node.js', program: process.execPath, flags: ['--input-type=module', '-e'] };

describe.skipIf(noBrowser)(`the pages of inputs in Chromium${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  const site = nodeInBrowser({
    seed: async () => {
      await callApi(site.address, 'POST', '/users', {
        username: 'rea',
        password: 'reader-river',
        email: 'rea@example.org',
        full_name: 'Rea Der',
        roles: ['Reader'],
      });
    },
  });

  async function open(...asked: Parameters<NodeInBrowser['open']>) {
    const opened = await site.open(...asked);
    return { ...opened, inputs: inputsPage(opened.page) };
  }

  async function createInput(title: string, type: string, configuration: object = {}): Promise<string> {
    const { status, body } = await callApi(site.address, 'POST', '/system/inputs', {
      title,
      type,
      global: true,
      configuration: { bind_address: '127.0.0.1', port: 0, ...configuration },
    });
    expect(status).toBe(201);
    return body.id;
  }
  async function stateOf(id: string): Promise<InputState> {
    return (await callApi(site.address, 'GET', `/system/inputstates/${id}`)).body;
  }
  const portOf = (id: string) =>
    eventually(async () => {
      const port = (await stateOf(id)).listening?.port ?? 0;
      expect(port).toBeGreaterThan(0);
      return port;
    });

  test('walk 21: a taken port is named and changed; the example works as it is; a test message arrives', async () => {
    const blocker = net.createServer().listen(0, '127.0.0.1');
    await once(blocker, 'listening');
    const taken = (blocker.address() as AddressInfo).port;
    const { page, complaints, inputs } = await open('/inputs');
    await page.getByRole('link', { name: 'New input' }).click();
    await inputs.chooseType('GELF HTTP');
    await inputs.title.fill('Shop');
    await page.getByRole('textbox', { name: 'Bind address' }).fill('127.0.0.1');
    await inputs.port.fill(String(taken));
    expect(await accessibilityProblems(page)).toEqual([]);
    await inputs.start.click();

    await page.getByRole('heading', { name: 'Shop' }).waitFor();
    await page.getByRole('alert').getByText(`Cannot listen on TCP 127.0.0.1:${taken}`).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Change port' }).click();
    const free = await freePort('tcp');
    await inputs.port.fill(String(free));
    await page.getByRole('button', { name: 'Change and start' }).click();
    await page.getByText('running', { exact: true }).waitFor();
    await page.getByRole('alert').waitFor({ state: 'hidden' });

    const { program, flags, label } = PASTED;
    await eventually(async () => expect(await inputs.example(label)).toContain(`:${free}/`));
    await run(program, [...flags, await inputs.example(label)]);
    await page.getByRole('button', { name: 'Send a test message' }).click();
    await page.getByText(/Arrived after [\d\s]+ ms\./).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('link', { name: 'Show it' }).click();
    await searchPage(page).found('1 message');
    await page.goBack();
    await page.getByRole('heading', { name: 'Shop' }).waitFor();
    await page.locator('main').getByRole('link', { name: 'Search', exact: true }).click();
    await searchPage(page).found('2 messages');
    await page.getByText('Hello, Millrace').first().waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
    blocker.close();
  });

  test('an input is listened to everywhere, marks its messages, is stopped, started and deleted', async () => {
    const id = await createInput('Mark', 'gelf-http');
    const { page, complaints, inputs } = await open(`/inputs/${id}`, { colorScheme: 'dark' });
    await page.getByText(/^Listening since .* on 127\.0\.0\.1:\d+\.$/).waitFor();
    await page.getByText(/Only the machine that Millrace runs on can send/).waitFor();
    await page.getByRole('button', { name: 'Listen everywhere' }).click();
    await page.getByText(/^Listening since .* on 0\.0\.0\.0:\d+\.$/).waitFor();
    await page.getByText(/Only the machine that Millrace runs on/).waitFor({ state: 'hidden' });

    await inputs.openTab('Static fields');
    await page.getByText('This input adds no fields').waitFor();
    const field = page.getByLabel('Field', { exact: true });
    await field.fill('gl2_mine');
    await page.getByLabel('Value').fill('berlin');
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByText(/is a field that Millrace sets itself/).waitFor();
    await field.fill('datacenter');
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByRole('cell', { name: 'berlin' }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    const body = JSON.stringify({ version: '1.1', host: 'h', short_message: 'marked' });
    const sent = await fetch(`http://127.0.0.1:${await portOf(id)}/gelf`, { method: 'POST', body });
    expect(sent.status).toBe(202);
    await inputs.openTab('Rates');
    await page.getByRole('table', { name: 'Rates' }).getByText('1', { exact: true }).first().waitFor();
    await page.getByText('1 message of those that you may read').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('link', { name: 'Search its messages' }).click();
    await searchPage(page).found('1 message');
    await page.goBack();
    await inputs.openTab('Static fields');
    await page.getByRole('button', { name: 'Remove datacenter' }).click();
    await page.getByText('This input adds no fields').waitFor();

    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('stopped', { exact: true }).waitFor();
    await eventually(async () => expect((await stateOf(id)).state).toBe('STOPPED'));
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByText('running', { exact: true }).waitFor();
    await inputs.openTab('Settings');
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByText(/Delete “Mark”\? Its settings are lost, and nobody listens on/).waitFor();
    await page.getByRole('form').getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL('**/inputs');
    expect((await callApi(site.address, 'GET', `/system/inputs/${id}`)).status).toBe(404);
    await page.goto(`/inputs/${id}`);
    await page.getByText('There is no such input').waitFor();
    expect(complaints.filter((text) => !/status of 40[04]/.test(text))).toEqual([]);
    await page.context().close();
  });

  test('settings are checked, kept across an ended session, and never overwrite those of others unasked', async () => {
    const id = await createInput('Edited', 'gelf-tcp');
    const { page, complaints, inputs } = await open(`/inputs/${id}?tab=settings`);
    await inputs.port.fill('70000');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/At most 65.535/).waitFor();
    await inputs.port.fill('0');
    await inputs.title.fill('Mine');
    // Somebody else is faster.
    const theirs = (await callApi(site.address, 'GET', `/system/inputs/${id}`)).body;
    const { title: _title, attributes: configuration, type, global } = theirs;
    await callApi(site.address, 'PUT', `/system/inputs/${id}`, {
      title: 'Theirs',
      type,
      global,
      configuration,
    });
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Save' }).dispatchEvent('click');
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
    await loginForm(page).submit('river');
    await page.getByText('Somebody else has changed this input since you opened it.').waitFor();
    expect(await inputs.title.inputValue()).toBe('Mine');
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Overwrite with mine' }).click();
    await page.getByRole('heading', { name: 'Mine' }).waitFor();
    expect((await callApi(site.address, 'GET', `/system/inputs/${id}`)).body.title).toBe('Mine');
    await page.getByRole('button', { name: 'Save' }).and(page.locator(':focus')).waitFor();
    await inputs.title.fill('Not saved');
    await page.getByRole('link', { name: 'Streams' }).first().click();
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: 'Stay' }).click();
    await question.waitFor({ state: 'hidden' });
    expect(await inputs.title.inputValue()).toBe('Not saved');
    expect(complaints.filter((text) => !text.includes('409'))).toEqual([]);
    await page.context().close();
  });

  test('settings that are hidden stay; a stored secret is kept until it is replaced or removed', async () => {
    const hidden = { tls_key_password: 'old river', tls_client_auth_cert_file: '/nowhere/clients.pem' };
    const id = await createInput('Sealed', 'gelf-tcp', { tls_enable: true, ...hidden });
    const { page, complaints, inputs } = await open(`/inputs/${id}?tab=settings`);
    const stored = async () => (await callApi(site.address, 'GET', `/system/inputs/${id}`)).body;
    const group = page.locator('details').filter({ hasText: 'Enable TLS' });
    const change = async (act: () => Promise<void>) => {
      const { revision } = await stored();
      if ((await group.getAttribute('open')) === null) await group.getByText('TLS', { exact: true }).click();
      await act();
      await page.getByRole('button', { name: 'Save' }).click();
      await eventually(async () => expect((await stored()).revision).not.toBe(revision), {
        timeoutMs: 60_000,
      });
      await page.reload();
      await group.waitFor();
      return (await stored()).effective_attributes;
    };
    const masked = { ...hidden, tls_key_password: '<password set>' };
    const toggle = () => group.getByRole('switch', { name: 'Enable TLS' }).click();
    expect(await change(toggle)).toMatchObject({ ...masked, tls_enable: false });
    expect(await change(toggle)).toMatchObject({ ...masked, tls_enable: true });
    const password = group.getByLabel('TLS key password');
    const replaced = await change(async () => {
      await group.getByRole('button', { name: 'Replace' }).click();
      await password.and(page.locator(':focus')).waitFor();
      await inputs.title.fill('Sealed as before');
    });
    expect(replaced).toMatchObject({ ...masked, tls_enable: true });
    const removed = await change(async () => {
      await group.getByRole('button', { name: 'Remove' }).click();
      await group.getByRole('button', { name: 'Keep the stored one' }).click();
      await group.getByRole('button', { name: 'Remove' }).click();
      expect(await accessibilityProblems(page)).toEqual([]);
    });
    expect(removed).not.toHaveProperty('tls_key_password');
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('a button stays usable after a request has failed', async () => {
    const id = await createInput('Stubborn', 'gelf-tcp');
    const { page, complaints } = await open(`/inputs/${id}`);
    const refuse = { status: 500, contentType: 'application/json', body: '{"message":"Not this time."}' };
    await page.route('**/api/cluster/inputstates/*', (route) => route.fulfill(refuse), { times: 1 });
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('alert').getByText('Not this time.').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('stopped', { exact: true }).waitFor();
    await page.getByRole('alert').waitFor({ state: 'hidden' });
    expect(complaints.filter((line) => !line.includes('status of 500'))).toEqual([]);
    await page.context().close();
  });

  test('losses are said in words with a remedy, and failures are a search', async () => {
    const since = new Date(Date.now() - 60_000).toISOString();
    const http = await createInput('Picky', 'gelf-http');
    const udp = await createInput('Patient', 'gelf-udp');
    await fetch(`http://127.0.0.1:${await portOf(http)}/gelf`, { method: 'POST', body: 'no GELF' });
    const socket = dgram.createSocket('udp4');
    const send = promisify((text: string, port: number, done: (error: Error | null) => void) =>
      socket.send(text, port, '127.0.0.1', done),
    );
    await send('no GELF either', await portOf(udp));
    socket.close();
    const { page, complaints, inputs } = await open('/inputs');
    await inputs.row('Picky').getByRole('link', { name: '1', exact: true }).click();
    const losses = page.getByRole('table', { name: 'Losses' });
    await losses.getByText('Requests were not GELF.').waitFor();
    await losses.getByText('Correct the sender, which was told what is wrong.').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await eventually(async () => {
      const { body } = await callApi(site.address, 'GET', `/system/indexer/failures/count?since=${since}`);
      expect(body.count).toBe(1);
    });
    await page.goto(`/inputs/${udp}?tab=losses`);
    await page.getByText('Nothing was lost').waitFor();
    await page.getByText(/1 message of the last 24 hours/).waitFor();
    await page.getByRole('link', { name: 'Show them' }).click();
    await searchPage(page).found('1 message');
    await page.goto('/inputs');
    await page.getByText('1 message of the last 24 hours could not be read or stored.').waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('a reader sees what runs, and buttons that say why they do not work', async () => {
    const id = await createInput('Readable', 'gelf-udp');
    const { page, complaints, inputs } = await open('/inputs', {}, 'rea', 'reader-river');
    await inputs.row('Readable').getByText('running').waitFor();
    await hoverFor(
      page.getByRole('button', { name: 'New input' }),
      'Needs inputs:create. Ask an administrator.',
    );
    await hoverFor(
      inputs.row('Readable').getByRole('button', { name: 'Stop' }),
      'Needs inputs:changestate for this input. Ask an administrator.',
    );
    await inputs.row('Readable').getByRole('link', { name: 'Readable' }).click();
    for (const button of ['Listen everywhere', 'Send a test message']) {
      await hoverFor(
        page.getByRole('button', { name: button }),
        'Needs inputs:edit for this input. Ask an administrator.',
      );
      await leaveWithMouse(page);
    }
    for (const tab of ['Rates', 'Losses', 'Static fields', 'Settings']) {
      await inputs.openTab(tab);
      expect([tab, await accessibilityProblems(page)]).toEqual([tab, []]);
    }
    await page.getByText('Needs inputs:edit for this input. Ask an administrator.').waitFor();
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
    await page.goto('/inputs/new');
    await page.getByText('Needs inputs:create. Ask an administrator.').waitFor();
    await page.goto('/system/inputs');
    await page.waitForURL('**/inputs');
    await inputs.row('Readable').waitFor();
    expect((await callApi(site.address, 'GET', `/system/inputs/${id}`)).body.title).toBe('Readable');
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('hostile names are text, 200 inputs are found and paged, by keyboard and on a phone', async () => {
    copyInputs(site.node.dataDir, await createInput('Original', 'gelf-tcp'), 200, 'Copy');
    await createInput(`${HOSTILE} ${'x'.repeat(150)}`, 'gelf-udp');
    const { page, complaints, inputs } = await open('/inputs');
    await page.getByText(/^1–50 of 2\d\d inputs$/).waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText(/^51–100 of/).waitFor();
    await page.keyboard.press('/');
    await hasFocus(page, inputs.find);
    await page.keyboard.type('copy stopped 0199');
    await inputs.row('Copy 0199').waitFor();
    await eventually(async () => expect(await inputs.row('Copy 0').count()).toBe(1), { timeoutMs: 60_000 });
    await page.goto('/inputs?page=99');
    await page.getByText(/^201–2\d\d of/).waitFor();
    await page.goto('/inputs?find=copy');
    const byTitle = page.getByRole('columnheader', { name: 'Input' }).getByRole('button');
    await byTitle.click();
    await page.waitForURL(/sort=title/);
    await page.getByRole('row').nth(1).getByText('Copy 0000').waitFor();
    await byTitle.click();
    await page.getByRole('row').nth(1).getByText('Copy 0199').waitFor();
    await inputs.find.fill('pigeon');
    await page.getByText('No input fits “pigeon”').waitFor();
    await page.getByRole('button', { name: 'Show all inputs' }).click();
    await inputs.find.fill('onerror');
    await inputs.row('<img src=x onerror=alert(1)>').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await tabTo(page, inputs.row('onerror').getByRole('link').first());
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /onerror/ }).waitFor();
    await pressTogether(page, 'g', 'i');
    await inputs.find.waitFor();
    await page.keyboard.press('n');
    await page.getByRole('heading', { name: 'New input' }).waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();

    const phone = await open('/inputs', {
      viewport: { width: 390, height: 844 },
      colorScheme: 'dark',
      hasTouch: true,
      isMobile: true,
    });
    await phone.inputs.row('GELF TCP').first().waitFor();
    expect(await tooWide(phone.page)).toEqual([]);
    expect(await accessibilityProblems(phone.page)).toEqual([]);
    await phone.inputs.find.fill('onerror');
    await phone.page.waitForURL(/find=onerror/);
    // Rows that move under the finger are not tapped.
    await phone.inputs.row('GELF TCP').first().waitFor({ state: 'hidden' });
    await phone.inputs.row('onerror').getByRole('link').first().tap();
    await phone.page.getByRole('heading', { name: /onerror/ }).waitFor();
    expect(await tooWide(phone.page)).toEqual([]);
    expect(await accessibilityProblems(phone.page)).toEqual([]);
    expect(phone.complaints).toEqual([]);
    await phone.page.context().close();
  });
});
