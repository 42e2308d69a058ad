import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { whyNoBrowser } from '../support/browser.ts';
import { nodeInBrowser } from '../support/node-in-browser.ts';

const noBrowser = whyNoBrowser();

/** Every address of the router that names no object, so that a new page cannot be forgotten. */
const ROUTES = new URL('../../packages/web/src/app/routes.tsx', import.meta.url);
const ADDRESSES = [...fs.readFileSync(ROUTES, 'utf8').matchAll(/ path: '(\/[^'$]*)'/g)]
  .map(([, address]) => address ?? '')
  .filter((address) => !['/login', '/-/components'].includes(address));

describe.skipIf(noBrowser)(`every page in Chromium${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  const site = nodeInBrowser();

  // The files of the build may need each other in circles, which fails only in a browser, and depends on which comes first.
  test('opens by its address, as the first page and after others', { timeout: 300_000 }, async () => {
    expect(ADDRESSES.length).toBeGreaterThan(20);
    const { page, complaints } = await site.open('/');
    for (const each of ADDRESSES) {
      await page.goto(each);
      await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
      expect(await page.getByRole('alert').allTextContents(), each).toEqual([]);
      await page.getByRole('link', { name: 'Help for this page' }).first().waitFor();
      expect(complaints, each).toEqual([]);
    }
    await page.context().close();
  });
});
