/** What a page of the web interface is measured with. Scripts are texts: benchmarks have no types of a browser. */
import type { CDPSession, Page } from 'playwright-core';
import { median } from './web-budgets.ts';

/** How long to wait for other rows. */
const PATIENCE_MS = 5000;
const GRID = '[role=grid][aria-label=Messages]';

/** Collects layout shifts and slow events from the first moment of every page. */
export const OBSERVERS = `
  window.shifts = 0;
  window.slowEvents = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifts += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
  new PerformanceObserver((list) => {
    for (const { name, duration } of list.getEntries()) window.slowEvents.push({ name, duration });
  }).observe({ type: 'event', durationThreshold: 16, buffered: true });
`;

export async function firstPaint(page: Page, url: string): Promise<number> {
  await page.goto(url);
  await page.locator(`${GRID} [role=row][aria-selected]`).first().waitFor();
  return Number(await page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime"));
}

/** How long each key took until its effect was painted; below 16 ms browsers do not say. */
export async function keysToPaint(page: Page, text: string): Promise<number[]> {
  const box = page.getByRole('textbox', { name: 'Query' });
  await box.click();
  await page.evaluate('window.slowEvents.length = 0');
  for (const key of text) {
    await page.keyboard.press(key === ' ' ? 'Space' : key);
    await page.waitForTimeout(120);
  }
  const slow = (await page.evaluate(
    "window.slowEvents.filter(({ name }) => name === 'keydown' || name === 'keypress').map(({ duration }) => duration)",
  )) as number[];
  const worst = slow.sort((a, b) => b - a).slice(0, text.length);
  return [...worst, ...Array<number>(Math.max(0, text.length - worst.length)).fill(8)];
}

/** From Enter to other rows on the screen, without the time that the API took. */
export async function runToRows(page: Page, queries: readonly string[]): Promise<number> {
  const beyond: number[] = [];
  const box = page.getByRole('textbox', { name: 'Query' });
  for (const query of queries) {
    await box.fill(query);
    await page.waitForTimeout(600);
    await page.evaluate(`{
      performance.clearResourceTimings();
      const textOf = () => document.querySelector('${GRID} [role=row][aria-selected]')?.textContent ?? '';
      const before = textOf();
      void (window.rowsAt = new Promise((resolve) => {
        window.addEventListener('keydown', () => {
          const start = performance.now();
          const look = () => {
            const took = performance.now() - start;
            if (textOf() !== before && textOf() !== '') resolve(took);
            else if (took > ${PATIENCE_MS}) resolve(0);
            else requestAnimationFrame(look);
          };
          requestAnimationFrame(look);
        }, { once: true, capture: true });
      }));
    }`);
    await box.press('Enter');
    const took = Number(await page.evaluate('window.rowsAt'));
    // The same row stands first: it says nothing.
    if (took === 0) continue;
    const api = Number(
      await page.evaluate(
        "Math.max(0, ...performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/api/messages/search')).map(({ duration }) => duration))",
      ),
    );
    beyond.push(Math.max(0, took - api));
  }
  return median(beyond);
}

/** Loads rows by going to the end of the list again and again. */
export async function loadRows(page: Page, wanted: number): Promise<number> {
  return Number(
    await page.evaluate(`(async () => {
      const list = document.querySelector('${GRID}');
      const loaded = () => Math.round(list.scrollHeight / 22);
      let last = 0, still = 0;
      while (still < 250) {
        list.scrollTop = list.scrollHeight;
        await new Promise((resolve) => setTimeout(resolve, 20));
        const indexes = [...list.querySelectorAll('[aria-rowindex]')].map((row) => Number(row.getAttribute('aria-rowindex')));
        const now = Math.max(0, ...indexes);
        if (now >= ${wanted}) return now;
        still = now === last ? still + 1 : 0;
        last = now;
      }
      return last;
    })()`),
  );
}

/** Scrolls for some seconds; frames in ms and the most rows that were in the DOM. */
export async function scroll(page: Page, seconds: number): Promise<{ frames: number[]; rows: number }> {
  return (await page.evaluate(`(async () => {
    const list = document.querySelector('${GRID}');
    const frames = [];
    let rows = 0, last = performance.now(), direction = -1;
    const end = last + ${seconds * 1000};
    while (performance.now() < end) {
      const now = await new Promise((resolve) => requestAnimationFrame(resolve));
      frames.push(now - last);
      last = now;
      if (list.scrollTop <= 0) direction = 1;
      list.scrollTop += direction * 900;
      rows = Math.max(rows, list.querySelectorAll('[role=row][aria-selected]').length);
    }
    return { frames: frames.slice(1), rows };
  })()`)) as { frames: number[]; rows: number };
}

export async function heapMegabytes(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize / 1e6;
}

/** From a click to what it shows, painted. */
export async function clickToPaint(page: Page, clicked: string, shown: string): Promise<number> {
  const wait = page.evaluate(`new Promise((resolve) => {
    document.addEventListener('click', () => {
      const start = performance.now();
      const look = () => (document.querySelector(${JSON.stringify(shown)}) === null
        ? requestAnimationFrame(look)
        : requestAnimationFrame(() => resolve(performance.now() - start)));
      requestAnimationFrame(look);
    }, { once: true, capture: true });
  })`);
  await page.locator(clicked).first().click();
  return Number(await wait);
}

/** The share of a core that the main thread of the page was busy, in percent. */
export async function busyShare(session: CDPSession, seconds: number): Promise<number> {
  await session.send('Performance.enable', { timeDomain: 'timeTicks' });
  const busy = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0;
  };
  const start = await busy();
  const startedAt = performance.now();
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  return (((await busy()) - start) / ((performance.now() - startedAt) / 1000)) * 100;
}
