import type { Locator, Page } from 'playwright-core';

/** The pages of alerts as their users see them. */
export interface AlertsPageObject {
  readonly find: Locator;
  /** A row of a list: an alert, a condition or a notification. */
  entry(text: string): Locator;
  openTab(name: RegExp | string): Promise<void>;
  chooseType(name: RegExp): Promise<void>;
  region(name: string): Locator;
}

export function alertsPage(page: Page): AlertsPageObject {
  return {
    find: page.getByLabel('Find an alert'),
    entry: (text) => page.getByRole('listitem').filter({ hasText: text }),
    async openTab(name) {
      await page.getByRole('tab', { name }).click();
    },
    async chooseType(name) {
      await page.getByRole('combobox', { name: 'Type' }).click();
      await page.getByRole('option', { name }).click();
    },
    region: (name) => page.getByRole('region', { name, exact: true }),
  };
}
