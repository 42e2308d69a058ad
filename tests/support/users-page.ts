import type { Locator, Page } from 'playwright-core';

/** The pages of users as their users see them. */
export interface UsersPageObject {
  readonly find: Locator;
  row(name: string): Locator;
  /** The question that stands where a button was pressed. */
  readonly question: Locator;
  addStream(title: string): Promise<void>;
  /** What the rights of the form become. */
  strings(): Promise<string[]>;
}

export function usersPage(page: Page): UsersPageObject {
  const pick = async (label: string, option: string) => {
    await page.getByRole('combobox', { name: label }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
    await page.keyboard.press('Escape');
  };
  return {
    find: page.getByLabel('Find a user'),
    row: (name) => page.getByRole('row').filter({ hasText: name }),
    question: page.getByRole('form').filter({ has: page.getByRole('button', { name: 'Cancel' }) }),
    addStream: (title) => pick('Add a stream', title),
    async strings() {
      const text = await page.locator('details pre').textContent();
      return (text ?? '').split('\n');
    },
  };
}
