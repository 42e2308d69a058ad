import type { Locator, Page } from 'playwright-core';

/** The pages of index sets as their users see them. */
export interface IndexSetsPageObject {
  readonly find: Locator;
  /** The question that stands where a button was pressed. */
  readonly question: Locator;
  /** What the strategies of the form mean. */
  readonly preview: Locator;
  /** A row of the list of index sets, or of indices. */
  row(name: string | RegExp): Locator;
  choose(label: string, option: string): Promise<void>;
  /** Presses a button of an index: `Close`, `Delete`. */
  press(action: string, index: string): Promise<void>;
  /** Types what has to be typed, and confirms. */
  confirm(action: string, typed?: string): Promise<void>;
}

export function indexSetsPage(page: Page): IndexSetsPageObject {
  const question = page.getByRole('form');
  return {
    find: page.getByLabel('Find an index set'),
    question,
    preview: page.getByRole('region', { name: 'What this means' }),
    row: (name) => page.getByRole('row').filter({ hasText: name }),
    async choose(label, option) {
      await page.getByRole('combobox', { name: label }).click();
      await page.getByRole('option', { name: option, exact: true }).click();
    },
    async press(action, index) {
      await page.getByRole('button', { name: `${action}: ${index}`, exact: true }).click();
    },
    async confirm(action, typed) {
      if (typed !== undefined) await page.getByLabel(`Type ${typed} to confirm`).fill(typed);
      await question.getByRole('button', { name: action, exact: true }).click();
    },
  };
}
