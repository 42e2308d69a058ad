import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { accessibilityProblems } from '../support/accessibility.ts';
import { whyNoBrowser } from '../support/browser.ts';
import { nodeInBrowser } from '../support/node-in-browser.ts';

const noBrowser = whyNoBrowser();

/** As text: tests are not compiled with the types of a browser. */
const addNamelessButton = (page: Page, to: string) =>
  page.evaluate(`document.querySelector('${to}').append(document.createElement('button'))`);

/** The check of all pages remembers what was legible, and looks at less where a dialog is open: it must not become blind. */
describe.skipIf(noBrowser)(`what axe finds in Chromium${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  const site = nodeInBrowser();
  const rules = async (page: Page) =>
    (await accessibilityProblems(page)).map((problem) => problem.split(':')[0]);
  /** Styles that are made by a script are not refused by the policy of the page. */
  const style = (page: Page, css: string) =>
    page.evaluate(`{
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(${JSON.stringify(css)});
      document.adoptedStyleSheets = [sheet];
    }`);

  test('is found on a page and in a dialog that were fine before', async () => {
    const { page } = await site.open('/users');
    await page.getByRole('row', { name: /admin/ }).waitFor();
    const found = async (css: string) => {
      await style(page, css);
      return await rules(page);
    };
    expect(await found('')).toEqual([]);
    // Every second time, the other theme is the one that is looked at first.
    for (const theme of ['light', 'light', 'dark', 'dark']) {
      const only = (css: string) => `@media (prefers-color-scheme: ${theme}) { ${css} }`;
      expect(await found(only('h1 { color: #888; background: #777; }'))).toEqual(['color-contrast']);
      expect(await found('')).toEqual([]);
    }
    expect(await found('h1 { opacity: 0.3; }')).toEqual(['color-contrast', 'color-contrast']);
    // Shown in one theme only.
    for (const theme of ['light', 'light', 'dark']) {
      const css = `h1 { color: #888 !important; background: #777; }
        @media (prefers-color-scheme: ${theme}) { h1 { visibility: hidden; } }`;
      expect(await found(css)).toContain('color-contrast');
    }
    await style(page, '');
    await addNamelessButton(page, 'tr:last-child td');
    expect(await rules(page)).toContain('button-name');

    await page.keyboard.press('Control+k');
    await page.getByRole('textbox', { name: 'Go to or do' }).waitFor();
    expect(await rules(page)).toEqual([]);
    const illegible = '[aria-modal=true] button * { color: #888; background: #777; }';
    expect(await found(`@media (prefers-color-scheme: dark) { ${illegible} }`)).toContain('color-contrast');
    expect(await found(`@media (prefers-color-scheme: light) { ${illegible} }`)).toContain('color-contrast');
    await style(page, '');
    await addNamelessButton(page, '[aria-modal=true]');
    expect(await rules(page)).toContain('button-name');
    await page.context().close();
  });
});
