import type { Page } from 'playwright-core';

export interface LayoutShift {
  /** As browsers compute it: the share of the screen that moved, times how far. */
  readonly value: number;
  /** What moved: the start of its HTML and how far, so that a failing test says what to mend. */
  readonly moved: readonly string[];
}

/** As text: tests are not compiled with the types of a browser. */
const WATCH = `{
  window.layoutShifts = [];
  const place = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(' ');
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries()) {
      const moved = sources.map(({ node, previousRect, currentRect }) =>
        (node?.outerHTML ?? node?.nodeName ?? 'gone').slice(0, 120) + ': ' + place(previousRect) + ' to ' + place(currentRect));
      window.layoutShifts.push({ value, moved });
    }
  }).observe({ type: 'layout-shift' });
}`;

/** Collects what moves on the page from now on, also in answer to the user. The result asks for what there is so far. */
export async function watchLayoutShifts(page: Page): Promise<() => Promise<LayoutShift[]>> {
  await page.evaluate(WATCH);
  return async () => (await page.evaluate('window.layoutShifts')) as LayoutShift[];
}
