import type { Locator, Page } from 'playwright-core';

/** The pages of pipelines and rules as their users see them. */
export interface PipelinesPageObject {
  /** The editor of a source, once it has its colours. */
  readonly source: Locator;
  /** What the rules did to the message that is tried. */
  readonly trace: Locator;
  readonly history: Locator;
  row(title: string): Locator;
  openTab(name: string): Promise<void>;
  /** Replaces the whole source, as somebody who pastes does. */
  paste(text: string): Promise<void>;
  choose(label: string, option: string): Promise<void>;
}

export function pipelinesPage(page: Page): PipelinesPageObject {
  const source = page.locator('.cm-content');
  return {
    source,
    trace: page.getByRole('list', { name: 'What the rules did' }),
    history: page.getByRole('region', { name: 'On history' }),
    row: (title) => page.getByRole('row').filter({ hasText: title }),
    async openTab(name) {
      await page.getByRole('tab', { name, exact: true }).click();
    },
    async paste(text) {
      await source.waitFor();
      await source.fill(text);
      // The list of suggestions, which opens for what is typed.
      await page.keyboard.press('Escape');
    },
    async choose(label, option) {
      await page.getByRole('combobox', { name: label }).fill(option);
      await page.getByRole('option', { name: option, exact: true }).click();
      await page.keyboard.press('Escape');
    },
  };
}
