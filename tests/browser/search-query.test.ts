import type { BrowserContextOptions } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { eventually } from '../../packages/server/src/testing/eventually.ts';
import { accessibilityProblems } from '../support/accessibility.ts';
import { whyNoBrowser } from '../support/browser.ts';
import { callApi } from '../support/node-api.ts';
import { nodeInBrowser } from '../support/node-in-browser.ts';
import { searchControls } from '../support/search-controls.ts';
import { searchPage } from '../support/search-page.ts';
import { hasFocus, tabTo } from '../support/web-page.ts';

const noBrowser = whyNoBrowser();
const COUNT = 120;
const UUID = '3f2b8c1e-5d7a-4e90-9b6c-8a1d2e3f4a5b';

describe.skipIf(noBrowser)(`query and session in Chromium${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  const site = nodeInBrowser({
    seed: async () => {
      const messages: object[] = [];
      const now = Date.now() / 1000;
      for (let at = 0; at < COUNT; at += 1) {
        const host = `web-${(at % 3) + 1}`;
        const level = at % 10 === 0 ? 3 : 6;
        messages.push({
          host,
          short_message: `request ${at}`,
          level,
          timestamp: now - 60 - at,
          _took_ms: at,
        });
      }
      // Over the change of the clocks in New York, on 1 November 2026 at 2 o'clock.
      for (const [host, time] of [
        ['before', '2026-11-01T05:30:00Z'],
        ['between', '2026-11-01T06:30:00Z'],
        ['after', '2026-11-01T07:30:00Z'],
      ] as const) {
        messages.push({ host, short_message: `clock ${host}`, level: 6, timestamp: Date.parse(time) / 1000 });
      }
      messages.push(
        {
          host: 'web-9',
          short_message: `payment ${UUID} declined`,
          level: 3,
          timestamp: now - 27 * 86_400,
        },
        { host: 'ahead', short_message: 'from tomorrow', level: 6, timestamp: now + 86_400 },
      );
      await site.send(...messages);
      await site.stored(COUNT + 5);
    },
  });

  async function openSearch(search = '', options: BrowserContextOptions = {}) {
    const opened = await site.open(`/search${search}`, {
      permissions: ['clipboard-read', 'clipboard-write'],
      ...options,
    });
    const found = searchPage(opened.page);
    await found.query.waitFor();
    return { ...opened, search: found, controls: searchControls(opened.page) };
  }

  test('Tab takes a suggestion, Enter never does; a wrong field is fixed', async () => {
    const { page, complaints, search } = await openSearch('');
    await search.found(`${COUNT} messages`);
    await search.query.pressSequentially('lev');
    await search.suggestion(/^level/).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.press('Tab');
    await eventually(async () => expect(await search.queryText()).toBe('level:'));
    await search.query.pressSequentially('3');
    await page.keyboard.press('Enter');
    await search.found('12 messages');
    expect(await search.queryText()).toBe('level:3');

    await search.run('"abc');
    await page.getByText(/The quote .* is not closed/).waitFor();
    await search.found('12 messages');
    await search.query.fill('levle:3');
    await page.getByText(/Did you mean level/).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Fix' }).click();
    await search.query.press('Enter');
    await search.found('12 messages');
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('Tab stays in the box while suggestions are replaced, and takes the first of the new ones', async () => {
    const { page, complaints, search } = await openSearch('');
    await search.found(`${COUNT} messages`);
    await search.query.pressSequentially('lev');
    await search.suggestion(/^level/).waitFor();
    const asked = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    await page.route('**/api/search/complete', async (route) => {
      asked.resolve();
      await released.promise;
      await route.continue();
    });
    await search.query.pressSequentially('e');
    await asked.promise;
    await page.keyboard.press('Tab');
    await hasFocus(page, search.query);
    released.resolve();
    await eventually(async () => expect(await search.queryText()).toBe('level:'));
    await hasFocus(page, search.query);
    expect(complaints).toEqual([]);
  });

  test('pills are the query; each step has a name and is undone', async () => {
    const { page, complaints, search, controls } = await openSearch('');
    await search.found(`${COUNT} messages`);
    const fields = page.getByRole('complementary', { name: 'Fields' });
    await fields.getByRole('button', { name: /^web-1/ }).click();
    await search.found('40 messages');
    // The values beside the one that was included are still there.
    await fields.getByRole('button', { name: /^web-2/ }).click();
    await search.found('80 messages');
    expect(await search.queryText()).toBe('source:(web-1 OR web-2)');
    await fields.getByRole('button', { name: /^web-2/, pressed: true }).waitFor();
    await eventually(async () => expect(await controls.clauses()).toEqual(['source:(web-1 OR web-2)']));
    expect(await accessibilityProblems(page)).toEqual([]);

    const pill = controls.pill('web-2');
    await pill.getByRole('button', { name: /^Exclude/ }).click();
    await search.found('40 messages');
    expect(await search.queryText()).toBe('NOT source:(web-1 OR web-2)');
    await page.getByRole('button', { name: 'Undo: flip source:(web-1 OR web-2)' }).click();
    await search.found('80 messages');
    await page.getByRole('button', { name: 'Redo: flip source:(web-1 OR web-2)' }).click();
    await search.found('40 messages');
    await page.goBack();
    await search.found('80 messages');
    await page.goBack();
    await search.found('40 messages');
    await eventually(async () => expect(await search.queryText()).toBe('source:web-1'));
    // Chosen again, a value is taken back.
    await fields.getByRole('button', { name: /^web-1/, pressed: true }).click();
    await search.found(`${COUNT} messages`);

    await search.run('level:3 AND source:web-1');
    await search.found('4 messages');
    await controls.pill('level:3').getByRole('button', { name: 'Switch off level:3' }).click();
    await search.found('40 messages');
    expect(page.url()).toContain('off=level:3');
    await controls.pill('level:3').getByRole('button', { name: 'Switch on level:3' }).click();
    await search.found('4 messages');
    await controls.pill('source:web-1').getByRole('button', { name: 'Edit source:web-1' }).click();
    await page.getByRole('textbox', { name: 'Edit source:web-1' }).fill('source:web-2');
    await page.keyboard.press('Enter');
    await eventually(async () => expect(await search.queryText()).toContain('source:web-2'));
    await controls.pill('level:3').getByRole('button', { name: 'Remove level:3' }).click();
    await search.found('40 messages');
    expect(await search.queryText()).toBe('source:web-2');
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('a second value is included, and undone, by keyboard alone', async () => {
    const { page, complaints, search } = await openSearch();
    await search.found(`${COUNT} messages`);
    const value = (name: RegExp) =>
      page.getByRole('complementary', { name: 'Fields' }).getByRole('button', { name });
    await page.locator('main').focus();
    await tabTo(page, value(/^web-1/));
    await page.keyboard.press('Enter');
    await search.found('40 messages');
    await tabTo(page, value(/^web-2/));
    await page.keyboard.press('Enter');
    await search.found('80 messages');
    expect(await search.queryText()).toBe('source:(web-1 OR web-2)');
    await page.keyboard.press('u');
    await search.found('40 messages');
    await page.keyboard.press('u');
    await search.found(`${COUNT} messages`);
    await page.keyboard.press('U');
    await search.found('40 messages');
    expect(await search.queryText()).toBe('source:web-1');
    // From another search, neither Back nor Forward would do what these steps did.
    await page.keyboard.press('u');
    await search.found(`${COUNT} messages`);
    await page.keyboard.press('T');
    await page.getByRole('navigation', { name: 'Searches' }).waitFor();
    await page.getByRole('button', { name: 'Undo', exact: true, disabled: true }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Redo', exact: true, disabled: true }).waitFor();
    await page
      .getByRole('complementary', { name: 'Fields' })
      .getByRole('button', { name: /^web-1/ })
      .click();
    await search.found('40 messages');
    await page.keyboard.press('u');
    await page.getByRole('button', { name: 'Redo: include web-1' }).waitFor();
    await page.goto('/search?q=level:3');
    await search.found('12 messages');
    await page.getByRole('button', { name: 'Redo', exact: true, disabled: true }).waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('walk 2 by keyboard alone: a pasted UUID, its message, its surroundings, and a link to both', async () => {
    const { page, complaints, search } = await openSearch('?t=365d');
    await search.rows.first().waitFor();
    await page.evaluate(`navigator.clipboard.writeText('${UUID}')`);
    await page.locator('main').focus();
    await page.keyboard.press('/');
    await hasFocus(page, search.query);
    await page.keyboard.press('ControlOrMeta+v');
    await eventually(async () => expect(await search.queryText()).toBe(UUID));
    await page.keyboard.press('Enter');
    await search.found('1 message');
    await page.keyboard.press('Escape');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('tab', { name: 'Fields' }).waitFor();
    await page.keyboard.press('a');
    const around = page.getByRole('grid', { name: 'Messages around this one' });
    await around.getByText(UUID).first().waitFor();
    await page.keyboard.press('y');
    await page.getByText('Link copied').first().waitFor();
    const link = new URL(String(await page.evaluate('navigator.clipboard.readText()')));
    const other = await openSearch(link.search);
    await other.search.found('1 message');
    await other.page
      .getByRole('grid', { name: 'Messages around this one' })
      .getByText(UUID)
      .first()
      .waitFor();
    expect([...complaints, ...other.complaints]).toEqual([]);
    await page.context().close();
    await other.page.context().close();
  });

  test('a pasted line that is no query is quoted; a long query stands behind the #', async () => {
    const { page, complaints, search, controls } = await openSearch();
    await search.found(`${COUNT} messages`);
    await controls.paste('failed: "request 7');
    await page.getByText('The pasted text is no query, so it was put in quotes.').waitFor();
    expect(await search.queryText()).toBe('"failed: \\"request 7"');
    await page.getByRole('search').getByRole('button', { name: 'Undo', exact: true }).click();
    await eventually(async () => expect(await search.queryText()).toBe('failed: "request 7'));

    const long = Array.from({ length: 500 }, (_, at) => `took_ms:${at}`).join(' OR ');
    await search.run(long);
    await search.found(`${COUNT} messages`);
    expect(new URL(page.url()).searchParams.get('q')).toBeNull();
    expect(new URL(page.url()).hash).toContain('q=took_ms:0');
    await page.reload();
    await search.found(`${COUNT} messages`);
    expect((await search.queryText()).length).toBeGreaterThan(4000);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('words in another zone, over a clock change', async () => {
    const { page, complaints, search, controls } = await openSearch('?q=clock', { colorScheme: 'dark' });
    await controls.useZone('America/New_York');
    await controls.useWords('2026-11-01 00:00 to 2026-11-01 04:00');
    await search.found('3 messages');
    // The hour from 1 to 2 came twice: five hours in all.
    await page
      .getByText(/2026-11-01 00:00:00 – 04:00:00 GMT-5/)
      .first()
      .waitFor();
    for (const [source, clock] of [
      ['after', '02:30:00'],
      ['between', '01:30:00'],
      ['before', '01:30:00'],
    ] as const) {
      await search.row(`clock ${source}`).filter({ hasText: clock }).waitFor();
    }
    expect(page.url()).toContain('tz=America/New_York');
    await page
      .getByRole('button', { name: /^Time: 2026-11-01/ })
      .getByText('GMT-5')
      .waitFor();
    await controls.openTime();
    await page.getByRole('heading', { name: 'Used last' }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByLabel('In words, or one time').fill('1793514600');
    await page.getByRole('status').getByText('2026-11-01 01:25:00 – 01:35:00').waitFor();
    await page.keyboard.press('Enter');
    await search.found('1 message');
    await search.row('clock between').waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('nothing found: each offer is true', async () => {
    const { page, complaints, search } = await openSearch('?q=payment+AND+source:web-9');
    await page.getByText('No message matches in the last 15 minutes.').waitFor();
    await page.getByRole('button', { name: 'Search 30 days: 1 message' }).waitFor();
    expect(await page.getByRole('button', { name: /^Search 24 hours/ }).count()).toBe(0);
    expect(await page.getByRole('button', { name: /^Without/ }).count()).toBe(0);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Search 30 days: 1 message' }).click();
    await search.found('1 message');
    await search.open('?q=source:ahead');
    await page.getByText("1 message is dated after now: a sender's clock is ahead.").waitFor();
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await search.found('1 message');
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('searches are saved with their view, used again where they were used, and side by side in tabs', async () => {
    const { page, complaints, search, controls } = await openSearch(
      '?q=level:3&t=1h&cols=timestamp,took_ms~90,message',
    );
    await search.found('12 messages');
    await page.keyboard.press('Control+s');
    await page.getByLabel('Title').fill('All errors');
    await page.keyboard.press('Enter');
    await page.getByText('Saved as All errors').waitFor();
    const { searches } = (await callApi(site.address, 'GET', '/search/saved')).body;
    expect(searches).toMatchObject([
      { title: 'All errors', state: { cols: 'timestamp,took_ms~90,message' } },
    ]);
    await page.goto(`/search/saved/${searches[0].id}`);
    await search.found('12 messages');
    expect(page.url()).toContain('cols=timestamp,took_ms~90,message');

    await search.open();
    await search.found(`${COUNT} messages`);
    await search.run('source:web-3');
    await search.found('40 messages');
    await search.open('?t=5m');
    await controls.openHistory();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: /source:web-3 .*Last 15 minutes/ }).click();
    await search.found('40 messages');
    expect(page.url()).not.toContain('t=5m');

    await page.keyboard.press('Escape');
    await page.locator('main').focus();
    await page.keyboard.press('Shift+T');
    await search.found(`${COUNT} messages`);
    await controls.tab('source:web-3').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.locator('main').focus();
    await page.keyboard.press('1');
    await search.found('40 messages');
    await page.goBack();
    await search.found(`${COUNT} messages`);
    await page.getByRole('button', { name: 'Close source:web-3' }).click();
    await controls.tab('source:web-3').waitFor({ state: 'hidden' });
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('links: frozen or always the last minutes; those of Graylog lead here', async () => {
    const { page, complaints, search, controls } = await openSearch('?q=level:3');
    await search.found('12 messages');
    const copied = () => page.evaluate<string>('navigator.clipboard.readText()');
    await page.locator('main').focus();
    await page.keyboard.press('y');
    await eventually(async () => expect(await copied()).toMatch(/[?&]t=\d{4}-.*Z\/\d{4}-.*Z/));
    await controls.openMore(/^Copy link: always last 15 minutes/);
    await eventually(async () => expect(await copied()).toBe(`${site.address}/search?q=level:3`));
    await page.goto('/search?rangetype=relative&relative=3600&q=source%3Aweb-1');
    await search.found('40 messages');
    await page.waitForURL(`${site.address}/search?q=source:web-1&t=1h`);
    await page.goto('/streams/000000000000000000000001/search');
    await search.found(`${COUNT} messages`);
    expect(page.url()).toContain('s=000000000000000000000001');

    await controls.openMore(/^Show SQL/);
    await page
      .getByRole('dialog', { name: 'SQL of this search' })
      .getByText(/SELECT/)
      .first()
      .waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
