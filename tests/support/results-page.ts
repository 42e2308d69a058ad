import type { Locator, Page } from 'playwright-core';
import { eventually } from '../../packages/server/src/testing/eventually.ts';

/** What stands below the query box, as its users see it. */
export interface ResultsPageObject {
  readonly list: Locator;
  readonly rows: Locator;
  readonly active: Locator;
  readonly detail: Locator;
  readonly around: Locator;
  readonly fields: Locator;
  readonly histogram: Locator;
  row(text: string): Locator;
  /** The texts of the rows that are drawn. */
  rowTexts(): Promise<string[]>;
  columnNames(): Promise<string[]>;
  /** Opens the menu of a column and chooses one of its entries. */
  columnMenu(field: string, entry: string): Promise<void>;
  /** Buttons of a value in the detail. */
  valueButton(name: string): Locator;
  /** The values of a field at the side, as they stand there. */
  facet(field: string): Promise<string[]>;
  /** Follows live until it says so. */
  goLive(): Promise<void>;
  scrollTo(top: number): Promise<void>;
  scrollTop(): Promise<number>;
}

export function resultsPage(page: Page): ResultsPageObject {
  const list = page.getByRole('grid', { name: 'Messages', exact: true });
  const rows = list.locator('[role=row][aria-selected]');
  const detail = page.getByRole('tabpanel');
  const fields = page.getByRole('complementary', { name: 'Fields' });
  return {
    list,
    rows,
    active: list.locator('[role=row][data-active=true]').first(),
    detail,
    around: page.getByRole('grid', { name: 'Messages around this one' }),
    fields,
    histogram: page.getByRole('group', { name: /Messages over time/ }),
    row: (text) => rows.filter({ hasText: text }),
    rowTexts: () => rows.allTextContents(),
    columnNames: async () => {
      const names = await list.getByRole('columnheader').locator('bdi').allTextContents();
      return names;
    },
    async columnMenu(field, entry) {
      const head = list.getByRole('columnheader').filter({ hasText: field });
      await head.hover();
      await head.getByRole('button', { name: `Column ${field}` }).click();
      const item = page.getByRole('menuitem', { name: entry });
      await item.click();
      await item.waitFor({ state: 'hidden' });
    },
    valueButton: (name) => detail.getByRole('button', { name, exact: true }),
    async facet(field) {
      const item = fields.getByRole('listitem').filter({ hasText: field }).first();
      return item.getByRole('listitem').allTextContents();
    },
    async goLive() {
      await page.getByRole('button', { name: 'Live', exact: true }).click();
      await page.getByText('Following').waitFor();
    },
    async scrollTo(top) {
      await list.evaluate((element, place) => {
        (element as unknown as { scrollTop: number }).scrollTop = place;
      }, top);
    },
    scrollTop: () => list.evaluate((element) => (element as unknown as { scrollTop: number }).scrollTop),
  };
}

/** Until the row that the keys walk has this text. */
export async function activeRowHas(results: ResultsPageObject, text: string | RegExp): Promise<void> {
  await eventually(async () => {
    const found = (await results.active.textContent()) ?? '';
    if (typeof text === 'string' ? !found.includes(text) : !text.test(found)) {
      throw new Error(`the active row is ${JSON.stringify(found)}`);
    }
  });
}

/** Until the row that the keys walk stands between the heading of the list and its end. */
export async function activeRowIsInSight(results: ResultsPageObject): Promise<void> {
  await eventually(async () => {
    const row = await boxOf(results.active);
    const list = await boxOf(results.list);
    const head = await boxOf(results.list.getByRole('row').first());
    const isInSight = row.y >= head.y + head.height && row.y + row.height <= list.y + list.height;
    if (!isInSight)
      throw new Error(`the row at ${row.y} is not in the list from ${head.y} to ${list.y + list.height}`);
  });
}

async function boxOf(part: Locator) {
  const box = await part.boundingBox();
  if (box === null) throw new Error('it is not drawn');
  return box;
}

/** Whether a text has more height or width than its box shows. */
export function isCut(text: Locator): Promise<boolean> {
  return text.evaluate((element) => {
    const box = element as unknown as Record<
      'scrollHeight' | 'clientHeight' | 'scrollWidth' | 'clientWidth',
      number
    >;
    return box.scrollHeight > box.clientHeight || box.scrollWidth > box.clientWidth;
  });
}
