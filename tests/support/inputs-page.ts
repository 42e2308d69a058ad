import type { Locator, Page } from 'playwright-core';

/** The pages of inputs as their users see them. */
export interface InputsPageObject {
  readonly find: Locator;
  readonly title: Locator;
  readonly port: Locator;
  /** The form of a new input; it has the type GELF UDP unless another one is chosen. */
  readonly start: Locator;
  row(title: string): Locator;
  chooseType(name: string): Promise<void>;
  openTab(name: string): Promise<void>;
  /** The text of the example that is shown. */
  example(label: string): Promise<string>;
}

export function inputsPage(page: Page): InputsPageObject {
  const snippet = page.getByRole('region', { name: 'How to send a message' });
  return {
    find: page.getByLabel('Find an input'),
    title: page.getByLabel('Title', { exact: true }),
    port: page.getByRole('textbox', { name: 'Port' }),
    start: page.getByRole('button', { name: 'Start', exact: true }),
    row: (title) => page.getByRole('row').filter({ hasText: title }),
    async chooseType(name) {
      await page.getByRole('combobox', { name: 'Type' }).click();
      await page.getByRole('option', { name, exact: true }).click();
    },
    async openTab(name) {
      await page.getByRole('tab', { name, exact: true }).click();
    },
    async example(label) {
      await page.getByRole('tab', { name: label, exact: true }).click();
      return (await snippet.getByRole('code').textContent()) ?? '';
    },
  };
}
