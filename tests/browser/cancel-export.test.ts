import fs from 'node:fs';
import type { CDPSession } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { eventually } from '../../packages/server/src/testing/eventually.ts';
import { whyNoBrowser } from '../support/browser.ts';
import { askEngine } from '../support/engine-of-node.ts';
import { copyMessages } from '../support/many-messages.ts';
import { nodeInBrowser } from '../support/node-in-browser.ts';
import { searchControls } from '../support/search-controls.ts';
import { searchPage } from '../support/search-page.ts';

const noBrowser = whyNoBrowser();
const ROWS = 400_000;
const HOUR_MS = 3_600_000;
/** So much a second: the export waits for the browser, so it is still under way when somebody looks. */
const SLOW_BYTES = 500_000;

describe.skipIf(noBrowser)(`very many messages in Chromium${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  const site = nodeInBrowser({
    async seed({ node, send, stored }) {
      await send({ short_message: 'row', level: 6 });
      await stored(1);
      // Over most of a year, so that a search for all of them has parts.
      await copyMessages(node.dataDir, {
        count: ROWS - 1,
        ageMs: `(number + 1) * ${Math.floor((300 * 24 * HOUR_MS) / ROWS)}`,
        message: "concat('row ', toString(number), repeat(' lorem ipsum dolor', 20))",
      });
      await stored(ROWS);
    },
  });

  async function open(path: string) {
    const opened = await site.open(path, { acceptDownloads: true });
    return { ...opened, search: searchPage(opened.page), controls: searchControls(opened.page) };
  }

  test('walk 17: an export says how far it is, is cancelled, and is complete and sorted the second time', async () => {
    const { page, complaints, search, controls } = await open('/search?t=365d');
    await search.found('400\u202f000 messages');
    const network = await page.context().newCDPSession(page);
    await controls.openMore(/Export/);
    const dialog = page.getByRole('dialog', { name: 'Export messages' });
    await limitSpeed(network, SLOW_BYTES);
    const first = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Export', exact: true }).click();
    await dialog.getByText(/of 400\u202f000 rows/).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.getByText(/Cancelled after/).waitFor();
    await (await first).cancel();

    await limitSpeed(network, -1);
    await dialog.getByRole('button', { name: 'Export again' }).click();
    await dialog.getByText('NDJSON').click();
    const second = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Export', exact: true }).click();
    const download = await second;
    await dialog.getByText(/Done: 400\u202f000 rows/).waitFor({ timeout: 240_000 });
    const { rows, isSorted } = checkRows(fs.readFileSync((await download.path()) ?? '', 'utf8'));
    expect(rows).toBe(ROWS);
    expect(isSorted).toBe(true);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('walk 9: a cancelled search keeps what came, and its query is gone from the engine', async () => {
    const { page, complaints, search, controls } = await open(
      `/search?t=365d&q=${encodeURIComponent(SLOW_QUERY)}`,
    );
    await search.row('row 9 lorem').waitFor();
    // The newest part is there, the others take much longer than a click.
    expect(await askEngine(site.node.dataDir, RUNNING_SEARCHES)).not.toEqual([]);
    await controls.cancel.click();
    await page.getByText(/Stopped: searched back to/).waitFor();
    await search.row('row 9 lorem').waitFor();
    expect(await search.rows.count()).toBe(10);
    await eventually(async () => expect(await askEngine(site.node.dataDir, RUNNING_SEARCHES)).toEqual([]));
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});

/** Finds the ten newest messages at once, and then looks at every other one forty times, in vain. */
const SLOW_QUERY = [
  'message:/row [0-9] lorem.*/',
  ...Array.from({ length: 40 }, (_, at) => `message:/[k-m][n-p][q-s][d-f][l-n].*[0-9]{${at + 10}}[x-z]+/`),
].join(' OR ');
const RUNNING_SEARCHES =
  "SELECT query_id FROM system.processes WHERE query LIKE '%match(message%' AND query NOT LIKE '%system.processes%'";

async function limitSpeed(network: CDPSession, bytesPerSecond: number): Promise<void> {
  await network.send('Network.enable');
  await network.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: -1,
  });
}

function checkRows(text: string): { rows: number; isSorted: boolean } {
  let rows = 0;
  let isSorted = true;
  let before = '\uffff';
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const { timestamp } = JSON.parse(line) as { timestamp: string };
    if (timestamp > before) isSorted = false;
    before = timestamp;
    rows += 1;
  }
  return { rows, isSorted };
}
