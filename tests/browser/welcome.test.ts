import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../packages/server/src/testing/eventually.ts';
import { openBrowser, whyNoBrowser } from '../support/browser.ts';
import { freePort } from '../support/free-port.ts';
import { type NodeProcess, startNode } from '../support/node-process.ts';
import { loginForm, openWatchedPage } from '../support/web-page.ts';

const noBrowser = whyNoBrowser();

describe.skipIf(noBrowser)(`the first steps in Chromium${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  let node: NodeProcess;
  let browser: Browser;

  beforeAll(() => {
    node = startNode({ default_inputs: 'false' });
  });
  afterAll(async () => {
    await browser?.close();
    node?.kill();
    await node?.exited();
  });

  test('lead from nothing to the first message', async () => {
    const address = await node.ready();
    browser = await openBrowser();
    const password = (await node.printed(/Password +(\S+)/))[1] ?? '';
    const { page, complaints } = await openWatchedPage(browser, address);
    await page.goto('/');
    await loginForm(page).logIn('admin', password);
    await page.waitForURL('**/welcome');

    // 1: a wrong port is reported before anything is sent; a right one starts the input.
    const port = page.getByLabel('Port');
    await port.fill('99999');
    await page.getByRole('button', { name: 'Start the input' }).click();
    await page.getByText(/^At most 65/).waitFor();
    await eventually(async () => expect(await page.evaluate('document.activeElement.name')).toBe('port'));
    const chosen = await freePort('tcp');
    await page.getByLabel('Bind address').fill('127.0.0.1');
    await port.fill(String(chosen));
    await page.getByRole('button', { name: 'Start the input' }).click();

    // 2: the command as it stands there.
    const command = page.getByLabel('Run this in a terminal:');
    await command.waitFor();
    const [, body = '', url = ''] =
      /-d '(.*)' \\\n {2}(\S+)$/.exec(((await command.textContent()) ?? '').trim()) ?? [];
    expect(url).toBe(`http://127.0.0.1:${chosen}/gelf`);
    expect((await fetch(url, { method: 'POST', body })).status).toBe(202);

    // 3: it shows by itself.
    await page.getByText('One message is stored.').waitFor();
    await page.getByText('Hello, Millrace', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Go on' }).click();
    await page.waitForURL((target) => target.pathname !== '/welcome' && target.pathname !== '/');
    expect(complaints).toEqual([]);
  });
});
