import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { eventually } from '../../packages/server/src/testing/eventually.ts';

/** What stands around the result of a search: pills, time, menu, tabs, steps. */
export interface SearchControls {
  readonly pills: Locator;
  pill(text: string): Locator;
  /** The clauses of the query, as the pills show them. */
  clauses(): Promise<string[]>;
  readonly cancel: Locator;
  readonly undo: Locator;
  readonly redo: Locator;
  openTime(): Promise<void>;
  /** Types a time range in words and uses it. */
  useWords(words: string): Promise<void>;
  useZone(zone: string): Promise<void>;
  openMore(item: RegExp): Promise<void>;
  /** Opens saved and recent searches from the query box, by keyboard. */
  openHistory(): Promise<void>;
  tab(name: string): Locator;
  /** Pastes as a person does: the text is in the clipboard. */
  paste(text: string): Promise<void>;
}

export function searchControls(page: Page): SearchControls {
  const pills = page.getByRole('list', { name: 'Clauses of the query' }).getByRole('listitem');
  const words = page.getByLabel('In words, or one time');
  const query = page.getByRole('textbox', { name: 'Query' });
  return {
    pills,
    pill: (text) => pills.filter({ hasText: text }),
    clauses: () => pills.allTextContents(),
    cancel: page.getByRole('button', { name: 'Cancel' }),
    undo: page.getByRole('button', { name: /^Undo/ }),
    redo: page.getByRole('button', { name: /^Redo/ }),
    async openTime() {
      await page.getByRole('button', { name: /^Time:/ }).click();
      await words.waitFor();
    },
    async useWords(text) {
      await this.openTime();
      await words.fill(text);
      await page
        .getByRole('status')
        .getByText(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d – /)
        .waitFor();
      await words.press('Enter');
      await words.waitFor({ state: 'hidden' });
    },
    async useZone(zone) {
      await this.openTime();
      await page.getByRole('combobox', { name: 'Time zone of everything on the page' }).fill(zone);
      const option = page.getByRole('option', { name: zone });
      await option.click();
      await option.waitFor({ state: 'hidden' });
      await page.keyboard.press('Escape');
      await words.waitFor({ state: 'hidden' });
    },
    async openMore(item) {
      await page.getByRole('button', { name: 'More', exact: true }).click();
      await page.getByRole('menuitem', { name: item }).click();
    },
    async openHistory() {
      await query.press('ArrowDown');
      await page.getByText('Recent', { exact: true }).waitFor();
    },
    tab: (name) =>
      page.getByRole('navigation', { name: 'Searches' }).getByRole('button', { name, exact: true }),
    async paste(text) {
      // As text: tests are not compiled with the types of a browser.
      await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
      await query.focus();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.press('ControlOrMeta+v');
      await eventually(async () => expect(await query.textContent()).not.toBe(''));
    },
  };
}
