/**
 * `npm run bench -- web [messages]`: what the web interface costs in Chromium, over a whole node with a million
 * messages: the budgets of the design, each with its figure. Browser, node and engine share the machine, so figures of
 * a small or busy machine are worse than those of a user's. The last line is JSON. Needs Chromium.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { openBrowser } from '../../tests/support/browser.ts';
import { pageScripts } from '../../tests/support/web-bundle.ts';
import { type BenchNode, startBenchNode, startMixSender, until } from '../support/bench-node.ts';
import { BUDGETS, type BudgetName, budgetLine, median, percentile } from '../support/web-budgets.ts';
import * as probes from '../support/web-probes.ts';

const MESSAGES = 1_000_000;
const FIELDS = 5000;
const FIELDS_A_MESSAGE = 100;
const ROWS = 100_000;
const CONNECTIONS = 4;
const TAIL_PER_SECOND = 1000;
/** The messages of the mixes are of this time. */
const RANGE = 't=2026-01-05T00:00:00Z/2026-03-01T00:00:00Z';

type Figures = Partial<Record<BudgetName, number>>;

export async function run([count]: string[]): Promise<void> {
  const messages = Number(count ?? MESSAGES);
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'millrace-bench-web-'));
  const node = await startBenchNode({ dataDir: path.join(directory, 'data') });
  const browser = await openBrowser();
  const figures: Figures = {};
  try {
    await fill(node, messages);
    const state = await logIn(browser, node.address);
    await firstPaints(browser, node.address, state, figures);
    const context = await browser.newContext(contextOptions(node.address, state));
    await searching(await openPage(context), figures);
    await manyRows(await openPage(context), figures);
    await otherPages(await openPage(context), figures);
    await following(await openPage(context), node, figures);
    for (const name of Object.keys(BUDGETS) as BudgetName[]) {
      console.log(budgetLine(name, figures[name] ?? Number.NaN));
    }
    console.log(JSON.stringify({ bench: 'web', messages, load: os.loadavg()[0], figures }));
  } finally {
    await browser.close();
    await node.stop();
    fs.rmSync(directory, { recursive: true, force: true });
  }
}

async function fill(node: BenchNode, messages: number): Promise<void> {
  const send = await startMixSender(node, { mix: 'web', messages, connections: CONNECTIONS });
  await send();
  const wide = Array.from({ length: FIELDS / FIELDS_A_MESSAGE }, (_, at) => {
    const fields = Array.from({ length: FIELDS_A_MESSAGE }, (_unused, place) => [
      `_field_${at * FIELDS_A_MESSAGE + place}`,
      place,
    ]);
    return JSON.stringify({
      version: '1.1',
      host: 'wide',
      short_message: 'many fields',
      // Older than the others: the rows that are opened are ordinary ones.
      timestamp: Date.UTC(2026, 0, 5, 0, 0, 1) / 1000,
      ...Object.fromEntries(fields),
    });
  });
  await post(node, wide);
  const total = messages + wide.length;
  await until(async () => (await node.call<{ events: number }>('GET', '/count/total')).events >= total);
}

async function post(node: BenchNode, messages: readonly string[]): Promise<void> {
  await fetch(`http://127.0.0.1:${node.httpPort}/gelf`, { method: 'POST', body: messages.join('\n') });
}

type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>;

const contextOptions = (address: string, storageState?: StorageState) => ({
  baseURL: address,
  viewport: { width: 1440, height: 900 },
  ...(storageState && { storageState }),
});

async function logIn(browser: Browser, address: string): Promise<StorageState> {
  const context = await browser.newContext(contextOptions(address));
  const page = await context.newPage();
  await page.goto('/login');
  await page.getByLabel('User name').fill('admin');
  await page.getByLabel('Password', { exact: true }).fill('bench');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('navigation').first().waitFor();
  const state = await context.storageState();
  await context.close();
  return state;
}

async function openPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.addInitScript({ content: probes.OBSERVERS });
  return page;
}

const ROUNDS = 5;

async function firstPaints(browser: Browser, address: string, state: StorageState, figures: Figures) {
  const cold: number[] = [];
  const warm: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const context = await browser.newContext(contextOptions(address, state));
    const page = await openPage(context);
    cold.push(await probes.firstPaint(page, `/search?${RANGE}`));
    warm.push(await probes.firstPaint(page, `/search?${RANGE}`));
    await context.close();
  }
  figures.bundle = pageScripts('src/features/search/page.tsx').gzipped / 1000;
  figures.coldPaint = median(cold);
  figures.warmPaint = median(warm);
}

async function searching(page: Page, figures: Figures): Promise<void> {
  await probes.firstPaint(page, `/search?${RANGE}`);
  const keys = await probes.keysToPaint(page, 'field_4321:7 AND lev AND source:web');
  figures.keyToPaint = percentile(keys, 0.95);
  await page.keyboard.press('Escape');
  figures.runToRows = await probes.runToRows(page, [
    'level:3',
    'level:4',
    'http_status:404',
    'http_status:500',
    'level:3 AND http_status:500',
    'NOT http_status:200',
    'http_status:304',
  ]);
  await probes.firstPaint(page, `/search?${RANGE}`);
  const rows = '[role=grid][aria-label=Messages] [role=row][aria-selected]';
  const expansions: number[] = [];
  for (let row = 1; row <= ROUNDS; row += 1) {
    expansions.push(await probes.clickToPaint(page, `${rows} >> nth=${row}`, '[role=tabpanel]'));
    await page.locator(`${rows}[aria-selected=true]`).first().click();
    await page.locator('[role=tabpanel]').waitFor({ state: 'hidden' });
  }
  figures.expandRow = median(expansions);
  await page.close();
}

async function manyRows(page: Page, figures: Figures): Promise<void> {
  await probes.firstPaint(page, `/search?${RANGE}&q=*`);
  const loaded = await probes.loadRows(page, ROWS);
  console.log(`${loaded} rows are loaded`);
  const { frames, rows } = await probes.scroll(page, 5);
  figures.framesP95 = percentile(frames, 0.95);
  figures.domRows = rows;
  figures.heap = await probes.heapMegabytes(await page.context().newCDPSession(page));
  await page.close();
}

async function otherPages(page: Page, figures: Figures): Promise<void> {
  const shifts: number[] = [];
  for (const url of [`/search?${RANGE}`, '/streams', '/streams/new', '/welcome']) {
    await page.goto(url);
    await page.waitForLoadState('networkidle').catch(() => {});
    shifts.push(Number(await page.evaluate('window.shifts')));
  }
  figures.layoutShift = Math.max(...shifts);
  const times: number[] = [];
  // The code of both pages is loaded once before, as it is for everybody after the first time.
  for (let round = 0; round < ROUNDS + 1; round += 1) {
    times.push(await probes.clickToPaint(page, 'nav a[href="/streams"]', 'table[aria-label=Streams]'));
    times.push(await probes.clickToPaint(page, 'nav a[href="/search"]', '[aria-label=Query]'));
  }
  figures.changePage = median(times.slice(2));
  await page.close();
}

/** The most that a tail shows a second, all of it shown. */
async function following(page: Page, node: BenchNode, figures: Figures): Promise<void> {
  await page.goto('/search?live=1&q=host_kind:tail');
  await page.getByText('Following').waitFor();
  let isOver = false;
  let sent = 0;
  const startedAt = performance.now();
  const sending = (async () => {
    while (!isOver) {
      const due = Math.floor(((performance.now() - startedAt) / 1000) * TAIL_PER_SECOND) - sent;
      const batch = Array.from({ length: due }, (_, at) =>
        JSON.stringify({
          version: '1.1',
          host: 'tail',
          short_message: `message ${sent + at} of many`,
          _host_kind: 'tail',
        }),
      );
      if (batch.length > 0) await post(node, batch);
      sent += batch.length;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  })();
  await page.waitForTimeout(3000);
  figures.tailCpu = await probes.busyShare(await page.context().newCDPSession(page), 10);
  isOver = true;
  await sending;
  await page.close();
}
