import type { Page } from 'playwright-core';

/** The pages below `/system`. */
export function systemPage(page: Page) {
  return {
    row: (table: string, name: RegExp) => page.getByRole('table', { name: table }).getByRole('row', { name }),
    openPart: (name: string) =>
      page
        .getByRole('navigation', { name: 'Parts of the system' })
        .getByRole('link', { name, exact: true })
        .click(),
  };
}
