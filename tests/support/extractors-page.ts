import type { Locator, Page } from 'playwright-core';

/** The extractors of an input as their users see them. */
export interface ExtractorsPageObject {
  row(title: string): Locator;
  /** What the extractor in the form would do to the message. */
  readonly trial: Locator;
  titles(): Promise<string[]>;
  press(name: string): Promise<void>;
  fill(label: string, text: string): Promise<void>;
  choose(label: string, option: string): Promise<void>;
}

export function extractorsPage(page: Page): ExtractorsPageObject {
  return {
    row: (title) => page.getByRole('row').filter({ hasText: title }),
    trial: page.getByRole('region', { name: 'Try it on a message' }).getByRole('status'),
    titles: () => page.getByRole('table', { name: 'Extractors' }).locator('button bdi').allTextContents(),
    press: (name) => page.getByRole('button', { name, exact: true }).click(),
    fill: (label, text) => page.getByRole('textbox', { name: label, exact: true }).fill(text),
    async choose(label, option) {
      await page.getByRole('combobox', { name: label, exact: true }).click();
      await page.getByRole('option', { name: option, exact: true }).click();
    },
  };
}
