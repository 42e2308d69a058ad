import type { BrowserContextOptions } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { eventually } from '../../packages/server/src/testing/eventually.ts';
import { accessibilityProblems } from '../support/accessibility.ts';
import { whyNoBrowser } from '../support/browser.ts';
import { copyMessages } from '../support/many-messages.ts';
import { callApi } from '../support/node-api.ts';
import { nodeInBrowser } from '../support/node-in-browser.ts';
import { searchControls } from '../support/search-controls.ts';
import { searchPage } from '../support/search-page.ts';
import { loginForm } from '../support/web-page.ts';

const noBrowser = whyNoBrowser();
const ROWS = 200_000;
describe.skipIf(noBrowser)(`running a search in Chromium${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  const site = nodeInBrowser({
    async seed({ node, send, stored }) {
      await send({ short_message: 'the newest', level: 6 });
      await stored(1);
      await copyMessages(node.dataDir, {
        count: ROWS - 1,
        ageMs: '1 + number',
        message: "concat('row ', toString(number))",
      });
    },
  });

  async function openSearch(search = '', options: BrowserContextOptions = {}) {
    const opened = await site.open(`/search${search}`, options);
    const found = searchPage(opened.page);
    await found.query.waitFor();
    return { ...opened, search: found, controls: searchControls(opened.page) };
  }
  test('a session that ends, a server that is away and one that is busy lose nothing', async () => {
    const { page, complaints, search } = await openSearch('?q=newest');
    await search.found('1 message');
    await search.query.fill('row AND 17');
    await page.context().clearCookies();
    await search.query.press('Enter');
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
    await loginForm(page).submit('river');
    await search.found('1 message');
    expect(await search.queryText()).toBe('row AND 17');

    await page.context().setOffline(true);
    await search.run('newest');
    await page.getByText('The server does not answer.', { exact: false }).first().waitFor();
    await page.context().setOffline(false);
    await search.row('the newest').waitFor();

    // Refused twice, as the server does it: asked again after the time it named.
    let refusals = 2;
    await page.route('**/api/messages/search', async (route) => {
      if (refusals-- <= 0) return route.continue();
      return route.fulfill({
        status: 429,
        headers: { 'Retry-After': '1' },
        json: { type: 'ApiError', message: 'You are already running 8 searches.' },
      });
    });
    await search.run('row AND 18');
    await search.row('row 18').first().waitFor();
    refusals = 10;
    await search.run('row AND 19');
    await page.getByText('You are already running 8 searches.').waitFor();
    expect(complaints.filter((line) => !/ERR_INTERNET_DISCONNECTED|429/.test(line))).toEqual([]);
    await page.context().close();
  });

  test('two tabs of the browser do not disturb each other', async () => {
    const { page, complaints, search } = await openSearch('?q=newest');
    await search.found('1 message');
    const other = await page.context().newPage();
    await other.goto('/search?q=row+AND+20');
    await searchPage(other).row('row 20').first().waitFor();
    await search.run('row AND 21');
    await search.row('row 21').first().waitFor();
    expect(await searchPage(other).queryText()).toBe('row AND 20');
    // Before the session ends: what looks the words up would say so first, and Enter would go to the question.
    await search.query.fill('row AND 22');
    await other.getByRole('button', { name: 'Account of admin' }).click();
    await other.getByRole('menuitem', { name: 'Log out' }).click();
    await other.waitForURL('**/login');
    await search.query.press('Enter');
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
    await loginForm(page).submit('river');
    await search.row('row 22').first().waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('the own account, the start page, and things by their name', async () => {
    const off = { timeZone: '', startPath: '', singleKeys: true };
    await callApi(site.address, 'PUT', '/users/admin/preferences', { preferences: { web: off } });
    const { page, complaints, search } = await openSearch('?q=newest');
    await search.found('1 message');
    await page.goto('/me');
    await page.getByRole('heading', { name: 'Your account' }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByLabel('Time zone').first().fill('Asia/Tokyo');
    await page.getByRole('option', { name: 'Asia/Tokyo' }).click();
    // The logo leads to the start page and is named so as well.
    await page.locator('main').getByLabel('Start page').first().click();
    await page.getByRole('option', { name: 'Streams', exact: true }).click();
    await page.getByRole('switch', { name: 'Single-letter keys' }).click();
    await eventually(async () => {
      const { preferences } = (await callApi(site.address, 'GET', '/users/admin')).body;
      expect(preferences.web).toMatchObject({
        timeZone: 'Asia/Tokyo',
        startPath: '/streams',
        singleKeys: false,
      });
    });
    await page.goto('/');
    await page.waitForURL('**/streams');
    await page.getByRole('heading', { name: 'Streams', exact: true }).waitFor();
    await page.keyboard.press('?');
    expect(await page.getByRole('dialog').count()).toBe(0);

    await page.keyboard.press('Control+k');
    const palette = page.getByRole('textbox', { name: 'Go to or do' });
    await palette.fill('yesterday 14:00 to 16:00');
    await page.getByText(/^\d{4}-\d\d-\d\d 14:00:00 – 16:00:00$/).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await palette.fill('Search All messages');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/search\?s=0{23}1/);
    await page.getByText('GMT+9').first().waitFor();

    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
