import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser, whyNoBrowser } from '../support/browser.ts';
import { type NodeProcess, startNode } from '../support/node-process.ts';
import { hasFocus, loginForm, openWatchedPage } from '../support/web-page.ts';

const noBrowser = whyNoBrowser();

describe.skipIf(noBrowser)(`the session in Chromium${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  let node: NodeProcess;
  let browser: Browser;
  let address: string;
  let password: string;

  beforeAll(async () => {
    node = startNode();
    [address, browser] = await Promise.all([node.ready(), openBrowser()]);
    password = (await node.printed(/Password +(\S+)/))[1] ?? '';
  });
  afterAll(async () => {
    await browser?.close();
    node?.kill();
    await node?.exited();
  });

  test('a log-in leads to the page that was asked for, a log-out to the form', async () => {
    const { page, complaints } = await openWatchedPage(browser, address);
    await page.goto('/streams?find=a%26b');
    await page.waitForURL(/\/login\?next=/);
    await loginForm(page).logIn('admin', password);
    await page.getByRole('heading', { name: 'Streams' }).waitFor();
    expect(page.url()).toBe(`${address}/streams?find=a%26b`);

    await page.getByRole('button', { name: 'Account of admin' }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await page.waitForURL('**/login');
    await page.goto('/streams');
    await loginForm(page).password.waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('a wrong password is reported, and a link to another site is not followed', async () => {
    const { page, complaints } = await openWatchedPage(browser, address);
    await page.goto('/login?next=//evil.example/');
    const form = loginForm(page);
    await form.logIn('admin', 'wrong password');
    await page.getByText('Name or password is wrong.').waitFor();
    await form.submit(password);
    await page.getByRole('navigation', { name: 'Pages' }).first().waitFor();
    expect(new URL(page.url()).origin).toBe(new URL(address).origin);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('when the session ends, the log-in opens over the page; what was typed and clicked is kept', async () => {
    const { page, complaints } = await openWatchedPage(browser, address);
    await page.goto('/streams');
    await loginForm(page).logIn('admin', password);
    await page.getByLabel('Find a stream').fill('failures');
    await page.context().clearCookies();

    // Not a click of the mouse: what asks in the background may have opened the form by then.
    await page.getByRole('button', { name: 'Hide names' }).dispatchEvent('click');
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.waitFor();
    const kept = page.waitForResponse((answer) => answer.request().method() === 'PUT' && answer.ok());
    await loginForm(page).submit(password);
    await dialog.waitFor({ state: 'hidden' });
    expect(await page.getByLabel('Find a stream').inputValue()).toBe('failures');
    await hasFocus(page, page.getByLabel('Find a stream'));
    // The click that met the ended session was kept and sent again.
    await kept;
    await page.reload();
    await page.getByRole('button', { name: 'Show names' }).waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
