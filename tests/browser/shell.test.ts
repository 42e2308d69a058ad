import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../packages/server/src/testing/eventually.ts';
import { accessibilityProblemsOfTheme } from '../support/accessibility.ts';
import { openBrowser, whyNoBrowser } from '../support/browser.ts';
import { type NodeProcess, startNode } from '../support/node-process.ts';
import { loginForm, openWatchedPage, pressTogether } from '../support/web-page.ts';

const noBrowser = whyNoBrowser();

describe.skipIf(noBrowser)(`the shell in Chromium${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  let node: NodeProcess;
  let browser: Browser;
  let address: string;
  let password: string;

  beforeAll(async () => {
    node = startNode();
    [address, browser] = await Promise.all([node.ready(), openBrowser()]);
    password = (await node.printed(/Password +(\S+)/))[1] ?? '';
  });
  afterAll(async () => {
    await browser?.close();
    node?.kill();
    await node?.exited();
  });

  async function openStreams(options: BrowserContextOptions = {}) {
    const opened = await openWatchedPage(browser, address, options);
    await opened.page.goto('/streams');
    await loginForm(opened.page).logIn('admin', password);
    await opened.page.getByRole('heading', { name: 'Streams' }).waitFor();
    return opened;
  }
  const schemeOf = 'getComputedStyle(document.documentElement).colorScheme';
  /** A theme, in the menu of the account, until it is stored. */
  async function choose(page: Page, theme: string) {
    const stored = page.waitForResponse((answer) => answer.request().method() === 'PUT' && answer.ok());
    await page.getByRole('button', { name: 'Account of admin' }).click();
    await page.getByRole('menuitemradio', { name: theme }).click();
    await stored;
  }

  test('the theme follows the system, then the choice, also before anything is loaded', async () => {
    const { page, complaints } = await openStreams({ colorScheme: 'dark' });
    await eventually(async () => expect(await page.evaluate(schemeOf)).toBe('dark'));
    await choose(page, 'Light');
    await eventually(async () => expect(await page.evaluate(schemeOf)).toBe('light'));
    // The choice belongs to the user: it is the same on another machine.
    const other = await openStreams({ colorScheme: 'dark' });
    await eventually(async () => expect(await other.page.evaluate(schemeOf)).toBe('light'));
    await choose(other.page, 'As the system');
    await eventually(async () => expect(await other.page.evaluate(schemeOf)).toBe('dark'));
    await other.page.context().close();
    await page.route('**/assets/*.js', (route) => route.abort());
    await page.reload();
    expect(await page.evaluate('document.documentElement.dataset.mantineColorScheme')).toBe('light');
    expect(complaints.filter((complaint) => !complaint.includes('ERR_FAILED'))).toEqual([]);
    await page.context().close();
  });

  test('the palette is used by keyboard alone', async () => {
    const { page, complaints } = await openStreams();
    const search = page.getByRole('textbox', { name: 'Go to or do' });
    const find = async (text: string) => {
      await page.keyboard.press('Control+k');
      await search.and(page.locator(':focus')).waitFor();
      await page.keyboard.type(text);
      await page.keyboard.press('Enter');
      await search.waitFor({ state: 'hidden' });
    };
    await find('first');
    await page.waitForURL('**/welcome');
    await find('theme: dark');
    await eventually(async () => expect(await page.evaluate(schemeOf)).toBe('dark'));
    // The other tests want what they ask for.
    await find('theme: as the system');
    await eventually(async () => expect(await page.evaluate(schemeOf)).toBe('light'));
    await pressTogether(page, 'g', 't');
    await page.waitForURL('**/streams');

    // Any page and any object by its name, whatever it belongs to.
    await find('audit');
    await page.waitForURL('**/system/audit');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.keyboard.press('Control+k');
    await search.and(page.locator(':focus')).waitFor();
    await page.keyboard.type('default index');
    await page.getByRole('button', { name: 'Index set Default index set' }).waitFor();
    await page.getByRole('button', { name: /^User admin/ }).waitFor({ state: 'detached' });
    await search.fill('user admin');
    await page.getByRole('button', { name: /^User admin/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/users/admin');
    // Once for all that is typed, if they are not there already.
    expect(asked.filter((path) => path === '/api/users/paginated').length).toBeLessThan(2);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('? lists the keys, but not while somebody types', async () => {
    const { page, complaints } = await openStreams();
    await page.getByLabel('Find a stream').fill('');
    await page.getByLabel('Find a stream').press('?');
    expect(await page.getByLabel('Find a stream').inputValue()).toBe('?');
    await page.getByLabel('Find a stream').fill('');
    await page.locator('main').focus();
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Keys' });
    await dialog.getByText('Go to or do').waitFor();
    // The page below an open dialog does not hear keys.
    await page.keyboard.press('\\');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Hide names' }).waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('a stream is made known, paused and resumed', async () => {
    const { page, complaints } = await openStreams();
    await page.evaluate(`fetch('/api/streams', { method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Requested-By': 'test' },
      body: JSON.stringify({ title: 'Web errors', rules: [] }) })`);
    await page.reload();
    const row = page.getByRole('row', { name: /Web errors/ });
    await row.getByRole('button', { name: 'Resume' }).click();
    await row.getByText('running').waitFor();
    const paused = page.waitForResponse((answer) => answer.url().endsWith('/pause') && answer.ok());
    await row.getByRole('button', { name: 'Pause' }).click();
    await row.getByText('paused').waitFor();
    await paused;
    await page.reload();
    await row.getByText('paused').waitFor();
    // A stream that is built in says why it cannot be paused.
    await page
      .getByRole('row', { name: /All messages/ })
      .getByRole('button', { name: 'Pause' })
      .focus();
    await page.getByText('This stream is built in and always runs.').waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('a server that is away is named, and found again', async () => {
    const { page } = await openStreams();
    await page.route('**/api/**', (route) => route.abort());
    await page.getByRole('button', { name: 'Hide names' }).click();
    // The preference for hidden names could not be stored, and says the same of the server.
    const bar = page.getByText('What is shown may be old');
    await bar.waitFor();
    await page.unroute('**/api/**');
    await bar.waitFor({ state: 'hidden' });
    await page.context().close();
  });

  test.each([
    ['light', 1440, 900],
    ['dark', 390, 844],
  ] as const)('axe finds nothing: %s, %d wide', async (colorScheme, width, height) => {
    const { page, complaints } = await openWatchedPage(browser, address, {
      colorScheme,
      viewport: { width, height },
      reducedMotion: 'reduce',
    });
    await page.goto('/login');
    await loginForm(page).user.waitFor();
    const problems = await accessibilityProblemsOfTheme(page);
    await loginForm(page).logIn('admin', password);
    // A page that is opened before the answer is there does not have the session.
    await page.getByRole('heading', { name: 'Log in' }).waitFor({ state: 'hidden' });
    for (const path of ['/streams', '/welcome', '/nowhere']) {
      await page.goto(path);
      await page.getByRole('heading').first().waitFor();
      problems.push(...(await accessibilityProblemsOfTheme(page)));
    }
    await page.keyboard.press('Control+k');
    await page.getByRole('textbox', { name: 'Go to or do' }).waitFor();
    problems.push(...(await accessibilityProblemsOfTheme(page)));
    expect(problems).toEqual([]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
