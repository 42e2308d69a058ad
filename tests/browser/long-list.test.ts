import { describe, expect, test } from 'vitest';
import { eventually } from '../../packages/server/src/testing/eventually.ts';
import { whyNoBrowser } from '../support/browser.ts';
import { copyMessages } from '../support/many-messages.ts';
import { nodeInBrowser } from '../support/node-in-browser.ts';
import { resultsPage } from '../support/results-page.ts';
import { searchPage } from '../support/search-page.ts';

const noBrowser = whyNoBrowser();
/** Several times as many as are loaded with all their fields. */
const ROWS = 40_000;
/** Rows in the DOM at most. */
const DRAWN = 80;

describe.skipIf(noBrowser)(`a long list in Chromium${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  const now = Date.now() / 1000;
  const site = nodeInBrowser({
    async seed({ node, send, stored }) {
      await send({
        short_message: 'row 0 ',
        full_message: 'row 0 \nthe whole of row 0',
        timestamp: now - 60,
        level: 6,
        _number: 7,
      });
      await stored(1);
      await copyMessages(node.dataDir, {
        count: ROWS - 1,
        ageMs: '(number + 1) * 10',
        message: "concat('row ', toString(number + 1), ' ', repeat('lorem ipsum ', (number + 1) % 40))",
        fullMessage: "concat('the whole of row ', toString(number + 1))",
      });
      await stored(ROWS);
    },
  });

  test('walk 10: to the end and back, wrapped; nothing jumps', { timeout: 300_000 }, async () => {
    const span = `${new Date((now - 1800) * 1000).toISOString()}/${new Date(now * 1000).toISOString()}`;
    const { page, complaints } = await site.open(`/search?t=${span}`, { reducedMotion: 'no-preference' });
    const results = resultsPage(page);
    await searchPage(page).found('40\u202f000 messages');
    await results.list.focus();
    await eventually(
      async () => {
        await page.keyboard.press('End');
        const last = await results.rows.last().getAttribute('aria-rowindex');
        // The heading is the first row.
        expect(Number(last)).toBe(ROWS + 1);
      },
      // Each press looks for more; between two of them what came is put into the list.
      { timeoutMs: 240_000, intervalMs: 250 },
    );
    await page.getByText('These are all.').waitFor();
    expect(await results.rows.count()).toBeLessThanOrEqual(DRAWN);

    // Far down only the columns are loaded; an open row has everything.
    await page.keyboard.press('Enter');
    await results.detail.getByText('number', { exact: true }).waitFor();
    await results.detail.getByText(/the whole of row 39999/).waitFor();
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
