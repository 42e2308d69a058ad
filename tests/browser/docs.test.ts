import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessibilityProblemsOfTheme } from '../support/accessibility.ts';
import { openBrowser, whyNoBrowser } from '../support/browser.ts';
import { KNOWN_PASSWORD } from '../support/node-api.ts';
import { type NodeProcess, startNode } from '../support/node-process.ts';
import { tooWide } from '../support/too-wide.ts';
import { loginForm, openWatchedPage } from '../support/web-page.ts';

const noBrowser = whyNoBrowser();

describe.skipIf(noBrowser)(`the documentation in Chromium${noBrowser ? ` (${noBrowser})` : ''}`, () => {
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

  test('the help link of a page leads to its place in the documentation of the node', async () => {
    const { page, complaints } = await openWatchedPage(browser, address, { reducedMotion: 'reduce' });
    await page.goto('/roles');
    await loginForm(page).logIn('admin', 'river');
    const [help] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: 'Help for this page' }).click(),
    ]);
    await help.waitForURL(`${address}/docs/operation.html#users-and-roles`);
    await help.getByRole('heading', { level: 2, name: 'Users and roles' }).waitFor();
    await help
      .getByRole('navigation')
      .getByRole('link', { name: /^Streams/ })
      .click();
    await help.getByRole('heading', { level: 1, name: /^Streams/ }).waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test.each(['light', 'dark'] as const)('axe finds nothing, %s', async (colorScheme) => {
    const { page, complaints } = await openWatchedPage(browser, address, { colorScheme });
    await page.goto('/docs/operation.html');
    await page.getByRole('heading', { level: 1 }).waitFor();
    const background = await page.evaluate('getComputedStyle(document.body).backgroundColor');
    expect(background).toBe(colorScheme === 'light' ? 'rgb(246, 249, 248)' : 'rgb(13, 20, 19)');
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await tooWide(page)).toEqual([]);
    expect(await accessibilityProblemsOfTheme(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
