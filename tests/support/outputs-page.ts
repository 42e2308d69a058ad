import type { Locator, Page } from 'playwright-core';

/** The pages of outputs as their users see them. */
export interface OutputsPageObject {
  readonly find: Locator;
  readonly title: Locator;
  row(title: string): Locator;
  chooseType(name: string): Promise<void>;
  openTab(name: string): Promise<void>;
  attach(stream: string): Promise<void>;
}

export function outputsPage(page: Page): OutputsPageObject {
  return {
    find: page.getByLabel('Find an output'),
    title: page.getByLabel('Title', { exact: true }),
    row: (title) => page.getByRole('row').filter({ hasText: title }),
    async chooseType(name) {
      await page.getByRole('combobox', { name: 'Type' }).click();
      await page.getByRole('option', { name, exact: true }).click();
    },
    async openTab(name) {
      await page.getByRole('tab', { name, exact: true }).click();
    },
    async attach(stream) {
      await page.getByRole('combobox', { name: 'Attach a stream' }).fill(stream);
      await page.getByRole('option', { name: stream }).click();
      await page.getByRole('button', { name: 'Attach', exact: true }).click();
    },
  };
}
