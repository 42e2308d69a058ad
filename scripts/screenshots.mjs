/**
 * `npm run screenshots -- <address> <user> <password>`: takes the pictures of docs/screenshots from a running node, in
 * light and dark, on a desk and on a phone. Give the node some messages of the last hour first.
 */
import fs from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { root, say } from './setup.mjs';

const [address, user, password] = process.argv.slice(2);
if (!address || !user || !password) {
  say('usage: npm run screenshots -- <address> <user> <password>');
  process.exit(2);
}
const target = path.join(root, 'docs', 'screenshots');
const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const SIZES = { desk: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };

const rowsOf = (page) => page.locator('[role=grid][aria-label=Messages] [role=row][aria-selected]');

/** What is done on a page before its picture is taken. */
const rowsAreThere = (page) => rowsOf(page).first().waitFor();
const expandFirstRow = async (page) => {
  await rowsOf(page).nth(1).click();
  await page.getByRole('tab', { name: 'Fields' }).waitFor();
};
const previewIsThere = (page) => page.getByText('would have matched').first().waitFor();

const PICTURES = [
  { name: 'search', url: '/search?q=level:%3C%3D4&t=1h', size: 'desk', prepare: expandFirstRow },
  { name: 'search-phone', url: '/search?q=level:%3C%3D4&t=1h', size: 'phone', prepare: rowsAreThere },
  { name: 'streams', url: '/streams', size: 'desk' },
  {
    name: 'stream-rules',
    url: '/streams/new?q=level:%3C%3D4+AND+source:web-*&t=1h',
    size: 'desk',
    prepare: previewIsThere,
  },
];

const browser = await chromium.launch({
  executablePath: CHROMIUM.find((file) => fs.existsSync(file)),
  args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--disable-gpu'],
});
for (const colorScheme of ['light', 'dark']) {
  for (const { name, url, size, prepare } of PICTURES) {
    const context = await browser.newContext({
      baseURL: address,
      colorScheme,
      viewport: SIZES[size],
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    await page.goto(url);
    await page.getByLabel('User name').fill(user);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.waitForLoadState('networkidle').catch(() => {});
    await prepare?.(page);
    await page.waitForTimeout(1000);
    await page.screenshot({ path: path.join(target, `${name}-${colorScheme}.png`) });
    say(`${name}-${colorScheme}.png`);
    await context.close();
  }
}
await browser.close();
