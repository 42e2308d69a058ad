import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessibilityProblems } from '../support/accessibility.ts';
import { openBrowser, whyNoBrowser } from '../support/browser.ts';
import { callApi, KNOWN_PASSWORD } from '../support/node-api.ts';
import { type NodeProcess, startNode } from '../support/node-process.ts';
import { systemPage } from '../support/system-page.ts';
import { tooWide } from '../support/too-wide.ts';
import { loginForm, openWatchedPage } from '../support/web-page.ts';

const noBrowser = whyNoBrowser();
const HOSTILE = '<img src=x onerror=alert(1)> 🦊 \u202eevil';

describe.skipIf(noBrowser)(`the pages of the system in Chromium${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  let node: NodeProcess;
  let browser: Browser;
  let address: string;

  beforeAll(async () => {
    node = startNode({}, { env: KNOWN_PASSWORD });
    [address, browser] = await Promise.all([node.ready(), openBrowser()]);
    await callApi(address, 'POST', '/users', {
      username: 'rea',
      password: 'reader-river',
      email: 'rea@example.org',
      full_name: HOSTILE,
      roles: ['Reader'],
    });
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
    await opened.page.getByRole('navigation', { name: 'Pages' }).first().waitFor();
    return { ...opened, system: systemPage(opened.page) };
  }

  test('the audit log is filtered by the server, and shows what was changed', async () => {
    const { page, complaints, system } = await open('/system/audit');
    await system.row('Audit log', /user\.create/).click();
    await page.getByRole('region', { name: 'After' }).getByText('onerror=alert(1)').waitFor();
    await page.getByRole('textbox', { name: 'Action' }).fill('session.create');
    await system.row('Audit log', /user\.create/).waitFor({ state: 'hidden' });
    await system
      .row('Audit log', /session\.create/)
      .first()
      .waitFor();
    expect(page.url()).toContain('action=session.create');
    await page.getByRole('combobox', { name: 'Outcome' }).click();
    await page.getByRole('option', { name: 'failure' }).click();
    await page.getByText('No entry fits').waitFor();
    await page.getByRole('button', { name: 'Show all' }).click();
    await system.row('Audit log', /user\.create/).waitFor();
    await page.getByRole('textbox', { name: 'Find in the audit log' }).fill('rea@example');
    await system
      .row('Audit log', /session\.create/)
      .first()
      .waitFor({ state: 'hidden' });
    await system.row('Audit log', /user\.create/).waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('messages, jobs, settings, plugins and licences are shown', async () => {
    const { page, complaints, system } = await open('/system');
    await page.getByRole('heading', { level: 1, name: 'Notifications' }).waitFor();
    await page.getByText('All is well').waitFor();
    await system.openPart('System messages');
    await system
      .row('System messages', /is running/)
      .first()
      .waitFor();
    await system.openPart('Jobs');
    await page.getByText('No job is running').waitFor();
    await system.openPart('Settings');
    await page.getByRole('textbox', { name: 'Find a setting' }).fill('session_timeout');
    await system.row('Settings', /session_timeout/).waitFor();
    await system.row('Settings', /processing_workers/).waitFor({ state: 'hidden' });
    await system.openPart('Plugins');
    await page.getByText('There is no plugin').waitFor();
    await system.openPart('Licences');
    // Rows that move under the mouse are not clicked.
    const other = page.getByRole('button', { name: 'Show the text: zod' });
    await other.waitFor();
    await page.getByRole('textbox', { name: 'Find a package' }).fill('react-dom');
    await other.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Show the text: react-dom' }).click();
    await page
      .getByRole('region', { name: 'Licence of react-dom' })
      .getByText(/Permission is hereby/)
      .waitFor();
    await page.goto('/system/nothing');
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('a reader finds the parts that they may see', async () => {
    const { page, complaints } = await open('/system', {}, 'rea', 'reader-river');
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    const parts = page.getByRole('navigation', { name: 'Parts of the system' }).getByRole('link');
    expect(await parts.allTextContents()).toEqual(['Settings', 'Plugins', 'Licences']);
    await page.goto('/system/audit');
    await page.getByText('Needs auditlog:read. Ask an administrator.').waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('addresses of Graylog lead to the same thing here', async () => {
    const { page, complaints } = await open('/system/inputs');
    await page.waitForURL('**/inputs');
    const nodeId = Object.keys((await callApi(address, 'GET', '/cluster')).body)[0];
    for (const [theirs, ours] of [
      ['/system/overview', '/overview'],
      ['/system/indices', '/index-sets'],
      ['/system/users/rea', '/users/rea'],
      ['/system/outputs', '/outputs'],
      [`/system/threaddump/${nodeId}`, `/nodes/${nodeId}?tab=threads`],
      ['/system/configurations', '/system/settings'],
      ['/gettingstarted', '/welcome'],
    ]) {
      await page.goto(theirs ?? '');
      await page.waitForURL(`${address}${ours}`);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
    }
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('axe finds nothing', async () => {
    const { page, complaints, system } = await open('/system/audit');
    await system.row('Audit log', /user\.create/).click();
    expect(await accessibilityProblems(page)).toEqual([]);
    for (const part of ['System messages', 'Settings', 'Licences']) {
      await system.openPart(part);
      await page.getByRole('table', { name: part }).waitFor();
      if (part === 'Licences') await page.getByRole('textbox', { name: 'Find a package' }).fill('mantine');
      expect(await accessibilityProblems(page)).toEqual([]);
    }
    await callApi(address, 'POST', '/system/sessions', { username: 'rea', password: 'wrong', host: '' });
    await page.setViewportSize({ width: 390, height: 844 });
    for (const path of ['/system/audit', '/system/settings', '/system/licences']) {
      await page.goto(path);
      await page.getByRole('table').waitFor();
      if (path === '/system/audit') {
        await system.row('Audit log', /rea/).getByText('failure').filter({ visible: true }).first().waitFor();
      }
      expect(await tooWide(page)).toEqual([]);
    }
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
