import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../packages/server/src/testing/eventually.ts';
import { openBrowser, whyNoBrowser } from '../support/browser.ts';
import { freePort } from '../support/free-port.ts';
import { type NodeProcess, startNode } from '../support/node-process.ts';
import { loginForm, openWatchedPage } from '../support/web-page.ts';

const noBrowser = whyNoBrowser();

/** Every type that the server lists has a form with all its fields. */
async function fillsEveryField(page: Page, address: string, password: string) {
  const response = await fetch(`${address}/api/system/inputs/types/all`, {
    headers: { authorization: `Basic ${Buffer.from(`admin:${password}`).toString('base64')}` },
  });
  const types = Object.values(
    (await response.json()) as Record<
      string,
      { name: string; requested_configuration: Record<string, Field> }
    >,
  );
  expect(types.length).toBeGreaterThan(2);
  for (const { name, requested_configuration } of types) {
    await page.getByRole('combobox', { name: 'Type' }).click();
    await page.getByRole('option', { name, exact: true }).click();
    const folded = page.locator('details:not([open]) > summary');
    while ((await folded.count()) > 0) await folded.first().click();
    const tls = page.getByRole('switch', { name: 'Enable TLS' });
    if ((await tls.count()) > 0) await tls.check({ force: true });
    const shown = (await page.locator('form').textContent()) ?? '';
    const missing = Object.values(requested_configuration).filter(
      ({ human_name }) => !shown.includes(human_name),
    );
    expect([name, missing]).toEqual([name, []]);
  }
  await page.reload();
}

interface Field {
  readonly human_name: string;
}

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

    await fillsEveryField(page, address, password);

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

    // 2: the commands as they stand there, and one click that needs none.
    const command = page.getByLabel('Run this in a terminal:');
    await command.waitFor();
    const [, body = '', url = ''] =
      /-d '(.*)' (\S+)$/.exec(((await command.textContent()) ?? '').trim()) ?? [];
    expect(url).toBe(`http://127.0.0.1:${chosen}/gelf`);
    await page.getByRole('tab', { name: 'Python' }).click();
    await page.getByText('urllib.request.urlopen').waitFor();
    await page.getByRole('button', { name: 'Send one for me' }).click();
    await page.getByText(/^Arrived after [\d\u202f]+ ms\.$/).waitFor();
    await page.getByText('One message is stored.').waitFor();
    expect((await fetch(url, { method: 'POST', body })).status).toBe(202);

    // 3: it shows by itself.
    await page.getByText('2 messages are stored.').waitFor();
    await page.getByText('Hello, Millrace', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Show it' }).click();
    await page
      .getByText(/a test message for the input GELF HTTP, sent by admin/)
      .first()
      .waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'Go on' }).click();
    await page.waitForURL((target) => target.pathname !== '/welcome' && target.pathname !== '/');
    expect(complaints).toEqual([]);
  });
});
