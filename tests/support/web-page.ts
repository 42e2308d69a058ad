import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { eventually } from '../../packages/server/src/testing/eventually.ts';

export interface WatchedPage {
  readonly page: Page;
  /** What went wrong: script errors, blocked resources, requests to other hosts. Must stay empty. */
  readonly complaints: string[];
  /** Every call that was refused for want of a permission. */
  readonly forbidden: string[];
}

/** Long enough for a busy machine, since a test that passes never waits for it. */
const PATIENCE_MS = 90_000;
const HOVER_MS = 3000;

/** A refused log-in is one of the things that are tested; browsers write a line about it. */
const EXPECTED = /the server responded with a status of (?:401|403|429)/;

/** As text: tests are not compiled with the types of a browser. */
const WATCH_POLICY = `document.addEventListener('securitypolicyviolation', (event) =>
  reportViolation(['policy:', event.violatedDirective, event.blockedURI, event.sourceFile, event.lineNumber].join(' ')));`;

/** A page of the web interface, in a browser profile of its own, that collects what goes wrong in it. */
export async function openWatchedPage(
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({
    baseURL: address,
    viewport: { width: 1440, height: 900 },
    ...options,
  });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const complaints: string[] = [];
  const forbidden: string[] = [];
  await page.exposeFunction('reportViolation', (text: string) => complaints.push(text));
  await page.addInitScript({ content: WATCH_POLICY });
  page.on('console', (message) => {
    const { url } = message.location();
    if (message.type() === 'error' && !EXPECTED.test(message.text()))
      complaints.push(`${message.text()} ${url}`);
  });
  // The line of the browser does not say what the server answered.
  page.on('response', (response) => {
    if (response.status() === 403) forbidden.push(`${response.request().method()} ${response.url()}`);
    if (response.status() !== 400 && response.status() < 500) return;
    const call = `${response.request().method()} ${response.url()} has a status of ${response.status()}`;
    // At once: a test may look before the body is there.
    const at = complaints.push(call) - 1;
    response.text().then(
      (text) => {
        if (complaints[at] === call) complaints[at] = `${call}: ${text.slice(0, 500)}`;
      },
      () => undefined,
    );
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    const isOwn = request.url().startsWith(address) || request.url().startsWith('data:');
    if (!isOwn) complaints.push(`request to ${request.url()}`);
  });
  return { page, complaints, forbidden };
}

/** The log-in form, on its own page or over another one. */
export function loginForm(page: Page) {
  return {
    user: page.getByLabel('User name'),
    password: page.getByLabel('Password', { exact: true }),
    async logIn(user: string, password: string) {
      await page.getByLabel('User name').fill(user);
      await this.submit(password);
    },
    async submit(password: string) {
      await page.getByLabel('Password', { exact: true }).fill(password);
      await page.getByRole('button', { name: 'Log in' }).click();
    },
  };
}

/** Keys that are one word, `g x`: at once, because on a busy machine a pause between them would end the word. */
export async function pressTogether(page: Page, ...keys: string[]): Promise<void> {
  await Promise.all(keys.map((key) => page.keyboard.press(key)));
}

/** What keys are typed into has the focus. */
export async function hasFocus(page: Page, field: Locator): Promise<void> {
  await field.and(page.locator(':focus')).waitFor();
}

/**
 * Rests the mouse on something until what explains it shows. While a page is still being built, things move below the mouse
 * and do not learn that it is there.
 */
export async function hoverFor(element: Locator, explanation: string): Promise<void> {
  const page = element.page();
  await eventually(
    async () => {
      await page.mouse.move(0, 0);
      await element.hover();
      await page.getByText(explanation).waitFor({ timeout: HOVER_MS });
    },
    { timeoutMs: PATIENCE_MS },
  );
}

/** Until what was shown for the place of the mouse is gone: the next thing may be described in the same words. */
export async function leaveWithMouse(page: Page): Promise<void> {
  await page.mouse.move(0, 0);
  await eventually(async () => expect(await page.getByRole('tooltip').count()).toBe(0));
}

const MOST_TABS = 300;

/** Goes on with Tab until it has the focus, as somebody without a mouse does. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let presses = 0; presses < MOST_TABS; presses += 1) {
    if ((await target.and(page.locator(':focus')).count()) > 0) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${target} is not reached within ${MOST_TABS} presses of Tab`);
}
