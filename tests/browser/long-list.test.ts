import net from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../packages/server/src/testing/eventually.ts';
import { openBrowser, whyNoBrowser } from '../support/browser.ts';
import { callApi, KNOWN_PASSWORD } from '../support/node-api.ts';
import { type NodeProcess, startNode } from '../support/node-process.ts';
import { resultsPage } from '../support/results-page.ts';
import { searchPage } from '../support/search-page.ts';
import { loginForm, openWatchedPage } from '../support/web-page.ts';

const noBrowser = whyNoBrowser();
const ROWS = 100_000;
/** Rows in the DOM at most. */
const DRAWN = 80;

describe.skipIf(noBrowser)(`a long list in Chromium${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  let node: NodeProcess;
  let browser: Browser;
  let address: string;
  const now = Date.now() / 1000;

  beforeAll(async () => {
    node = startNode({}, { env: KNOWN_PASSWORD });
    [address, browser] = await Promise.all([node.ready(), openBrowser()]);
    const socket = net.connect(await node.inputPort('GELF TCP'), '127.0.0.1');
    const lines = Array.from({ length: ROWS }, (_, at) =>
      JSON.stringify({
        version: '1.1',
        host: `web-${at % 3}`,
        short_message: `row ${at} ${'lorem ipsum '.repeat(at % 40)}`,
        timestamp: now - 60 - at * 0.01,
        level: 6,
        _number: at,
      }),
    );
    socket.end(`${lines.join('\0')}\0`);
    await eventually(
      async () => expect((await callApi(address, 'GET', '/count/total')).body.events).toBe(ROWS),
      { timeoutMs: 120_000 },
    );
  });
  afterAll(async () => {
    await browser?.close();
    node?.kill();
    await node?.exited();
  });

  test('walk 10: to the end and back, wrapped; nothing jumps', { timeout: 300_000 }, async () => {
    const { page, complaints } = await openWatchedPage(browser, address);
    const span = `${new Date((now - 1800) * 1000).toISOString()}/${new Date(now * 1000).toISOString()}`;
    await page.goto(`/search?t=${span}`);
    await loginForm(page).logIn('admin', 'river');
    const results = resultsPage(page);
    await searchPage(page).found('100\u202f000 messages');
    await results.list.focus();
    await eventually(
      async () => {
        await page.keyboard.press('End');
        const last = await results.rows.last().getAttribute('aria-rowindex');
        // The heading is the first row.
        expect(Number(last)).toBe(ROWS + 1);
      },
      { timeoutMs: 240_000 },
    );
    await page.getByText('These are all.').waitFor();
    expect(await results.rows.count()).toBeLessThanOrEqual(DRAWN);

    // Far down only the columns are loaded; an open row has everything.
    await page.keyboard.press('Enter');
    await results.detail.getByText('number', { exact: true }).waitFor();
    await results.detail.getByText('99999', { exact: true }).waitFor();
    await page.keyboard.press('Enter');

    await page.keyboard.press('.');
    await results.list.locator('[data-look=wrapped]').first().waitFor();
    for (const _ of Array.from({ length: 5 })) {
      const place = await placeOfMiddleRow();
      await page.mouse.move(800, 500);
      await page.mouse.wheel(0, -200);
      await eventually(async () => {
        const moved = await placeOf(place.index);
        expect(moved - place.top).toBe(200);
      });
    }
    await page.keyboard.press('Home');
    await results.row('row 0 ').waitFor();
    expect(await results.scrollTop()).toBe(0);
    expect(await results.rows.count()).toBeLessThanOrEqual(DRAWN);
    expect(complaints).toEqual([]);
    await page.context().close();

    async function placeOfMiddleRow() {
      const rows = await results.rows.count();
      const row = results.rows.nth(Math.floor(rows / 2));
      const index = (await row.getAttribute('aria-rowindex')) ?? '';
      return { index, top: await placeOf(index) };
    }
    async function placeOf(index: string) {
      const box = await results.list.locator(`[role=row][aria-rowindex="${index}"]`).first().boundingBox();
      if (box === null) throw new Error(`row ${index} is not drawn`);
      return box.y;
    }
  });
});
