import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { build, type PreviewServer, preview } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessibilityProblems } from '../support/accessibility.ts';
import { openBrowser, whyNoBrowser } from '../support/browser.ts';
import { openWatchedPage } from '../support/web-page.ts';

const noBrowser = whyNoBrowser();
const root = path.resolve(import.meta.dirname, '../../packages/web');

/** Needs no node: the page with all components exists in development builds only and asks for nothing. */
describe.skipIf(noBrowser)(`all components in Chromium${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  let browser: Browser;
  let server: PreviewServer;
  let outDir: string;
  let address: string;

  beforeAll(async () => {
    outDir = fs.mkdtempSync(path.join(os.tmpdir(), 'gallery-'));
    await build({ root, mode: 'development', logLevel: 'error', build: { outDir, emptyOutDir: true } });
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
    expect(await accessibilityProblems(page)).toEqual([]);
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect(overflow).toBeLessThanOrEqual(0);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
