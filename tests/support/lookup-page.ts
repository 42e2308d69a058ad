import type { Locator, Page } from 'playwright-core';

/** The pages of grok patterns and lookup tables as their users see them. */
export interface LookupPageObject {
  row(title: string): Locator;
  openTab(name: string): Promise<void>;
  /** Tables, data adapters or caches. */
  show(kind: string): Promise<void>;
  press(name: string): Promise<void>;
  fill(label: string, text: string): Promise<void>;
  choose(label: string, option: string): Promise<void>;
  lookUp(key: string): Promise<void>;
}

export function lookupPage(page: Page): LookupPageObject {
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const fill = (label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text);
  return {
    row: (title) => page.getByRole('row').filter({ hasText: title }),
    press,
    fill,
    async openTab(name) {
      await page.getByRole('tab', { name, exact: true }).click();
    },
    async show(kind) {
      await page.getByText(kind, { exact: true }).click();
    },
    async choose(label, option) {
      await page.getByRole('combobox', { name: label, exact: true }).click();
      await page.getByRole('option', { name: option, exact: true }).click();
    },
    async lookUp(key) {
      await fill('Key', key);
      await press('Look up');
    },
  };
}
