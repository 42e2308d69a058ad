import type { Locator, Page } from 'playwright-core';

/** The search page as its users see it. */
export interface SearchPageObject {
  readonly rows: Locator;
  readonly total: Locator;
  readonly query: Locator;
  readonly histogram: Locator;
  open(search?: string): Promise<void>;
  /** Types a query and runs it. */
  run(query: string): Promise<void>;
  /** A suggestion that can be taken: while what was typed since is looked up, keys do not reach the list. */
  suggestion(name: RegExp): Locator;
  /** The text of the query box. */
  queryText(): Promise<string>;
  row(text: string): Locator;
  /** Waits until so many messages are found. */
  found(count: string): Promise<void>;
  /** Opens the detail of a row. */
  expand(text: string): Promise<void>;
  /** Drags over a part of the histogram, by shares of its width. */
  zoom(from: number, to: number): Promise<void>;
}

/** In an editor that completes. */
export function suggestion(page: Page, name: RegExp): Locator {
  return page
    .locator('.cm-tooltip-autocomplete:not(.cm-tooltip-autocomplete-disabled)')
    .getByRole('option', { name });
}

export function searchPage(page: Page): SearchPageObject {
  const list = page.getByRole('grid', { name: 'Messages', exact: true });
  const rows = list.locator('[role=row][aria-selected]');
  const query = page.getByRole('textbox', { name: 'Query' });
  const total = page.getByRole('status').filter({ hasText: /message/ });
  const histogram = page.getByRole('group', { name: /Messages over time/ });
  return {
    rows,
    total,
    query,
    histogram,
    async open(search = '') {
      await page.goto(`/search${search}`);
      await query.waitFor();
    },
    async run(text) {
      await query.fill(text);
      await query.press('Enter');
    },
    suggestion: (name) => suggestion(page, name),
    queryText: async () => ((await query.textContent()) ?? '').trim(),
    row: (text) => rows.filter({ hasText: text }),
    async found(count) {
      await total.getByText(count, { exact: true }).waitFor();
    },
    async expand(text) {
      await rows.filter({ hasText: text }).first().click();
      await page.getByRole('tab', { name: 'Fields' }).waitFor();
    },
    async zoom(from, to) {
      const box = await histogram.boundingBox();
      if (box === null) throw new Error('there is no histogram');
      const y = box.y + box.height / 2;
      await page.mouse.move(box.x + box.width * from, y);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width * to, y, { steps: 4 });
      await page.mouse.up();
    },
  };
}
