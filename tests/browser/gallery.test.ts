import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { build, type PreviewServer, preview } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessibilityProblemsOfTheme } from '../support/accessibility.ts';
import { openBrowser, whyNoBrowser } from '../support/browser.ts';
import { tooWide } from '../support/too-wide.ts';
import { hasFocus, openWatchedPage } from '../support/web-page.ts';

const noBrowser = whyNoBrowser();
const root = path.resolve(import.meta.dirname, '../../packages/web');

/** Tests are not compiled with the types of a browser. */
function twice(form: unknown) {
  const { requestSubmit } = form as { requestSubmit(): void };
  requestSubmit.call(form);
  requestSubmit.call(form);
}

const edgeOf = async (element: Locator) =>
  await element.evaluate((shown) => {
    const { getComputedStyle: styleOf } = globalThis as unknown as StyledGlobal;
    const { borderTopColor, borderTopWidth } = styleOf(shown);
    return `${borderTopWidth} ${borderTopColor}`;
  });
interface StyledGlobal {
  getComputedStyle(element: unknown): { readonly borderTopColor: string; readonly borderTopWidth: string };
}

/** Needs no node: the page with all components exists in development builds only and asks for nothing. */
describe.skipIf(noBrowser)(`all components in Chromium${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  let browser: Browser;
  let server: PreviewServer;
  let outDir: string;
  let address: string;
  let gallery: Page | undefined;

  beforeAll(async () => {
    outDir = fs.mkdtempSync(path.join(os.tmpdir(), 'gallery-'));
    await build({
      root,
      mode: 'development',
      logLevel: 'error',
      build: { outDir, emptyOutDir: true, minify: false, cssMinify: false, reportCompressedSize: false },
    });
    server = await preview({
      root,
      mode: 'development',
      build: { outDir },
      preview: { host: '127.0.0.1', port: 0 },
    });
    address = server.resolvedUrls?.local[0]?.replace(/\/$/, '') ?? '';
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    fs.rmSync(outDir, { recursive: true, force: true });
  });

  test.each([
    ['light', 1440],
    ['dark', 390],
  ] as const)('are shown without a complaint: %s, %d wide', async (colorScheme, width) => {
    const { page, complaints } = await openWatchedPage(browser, address, {
      colorScheme,
      viewport: { width, height: 900 },
      reducedMotion: 'reduce',
    });
    await page.goto('/-/components');
    await page.getByRole('heading', { name: 'SchemaForm' }).waitFor();
    if (process.env.SCREENSHOTS) {
      await page.screenshot({
        path: `${process.env.SCREENSHOTS}/gallery-${colorScheme}-${width}.png`,
        fullPage: true,
      });
    }
    expect(await accessibilityProblemsOfTheme(page)).toEqual([]);
    // What is off stands out as boxes to type in do, whose edge has the contrast that this needs.
    const off = page.locator('.mantine-Switch-input:not(:checked) + .mantine-Switch-track').first();
    expect(await edgeOf(off)).toBe(await edgeOf(page.locator('.mantine-TextInput-input').first()));
    expect(await tooWide(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  /** Loaded anew in the same browser profile, which knows the scripts already. */
  async function openGallery() {
    gallery ??= (await openWatchedPage(browser, address, { reducedMotion: 'reduce' })).page;
    const page = gallery;
    await page.goto('/-/components');
    const question = page.getByRole('form', { name: 'Remove it?' });
    const cancel = question.getByRole('button', { name: 'Cancel' });
    const shown = page.getByRole('region', { name: 'ConfirmInline' });
    const button = shown.getByRole('button', { name: 'Remove the index' });
    return { page, question, cancel, button };
  }

  test('a question takes the focus and gives it back to the button that stands there again', async () => {
    const { page, question, cancel, button } = await openGallery();
    await button.press('Enter');
    await hasFocus(page, cancel);
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'hidden' });
    await hasFocus(page, button);
  });

  test('a question that was asked from a menu has the focus, too', async () => {
    const { page } = await openGallery();
    const menu = page.getByRole('button', { name: 'More for it' });
    const typed = page.getByLabel('Type archive to confirm');
    await menu.press('Enter');
    await page.getByRole('menuitem', { name: 'Forget' }).press('Enter');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await hasFocus(page, typed);
    await page.keyboard.type('archive');
    await page.keyboard.press('Enter');
    await typed.waitFor({ state: 'hidden' });
    await hasFocus(page, menu);
    await menu.click();
    await page.getByRole('menuitem', { name: 'Forget' }).click();
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await hasFocus(page, typed);
    await page.keyboard.press('Escape');
    await hasFocus(page, menu);
  });

  test('a question is answered once, and cannot be taken back while it is done', async () => {
    const { page, question, cancel, button } = await openGallery();
    await button.press('Enter');
    // Two presses before the first is drawn.
    await question.evaluate(twice);
    const fail = page.getByRole('button', { name: 'It failed' });
    await fail.waitFor();
    expect(await page.getByText(/^Sent \d$/).textContent()).toBe('Sent 1');
    expect(await cancel.isDisabled()).toBe(true);
    await question.dispatchEvent('keydown', { key: 'Escape' });
    await fail.dispatchEvent('click');
    await hasFocus(page, cancel);
    await page.keyboard.press('Enter');
    await hasFocus(page, button);
  });
});
