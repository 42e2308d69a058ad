import fs from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** The shell is Chromium without its own windows: it needs a third less processor time. */
const CANDIDATES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/**
 * Why there is no browser to test with, or undefined when there is one. In CI a missing browser is an error:
 * a test that is skipped there proves nothing.
 */
export function whyNoBrowser(): string | undefined {
  if (CANDIDATES.some((file) => fs.existsSync(file))) return undefined;
  const reason = 'no Chromium found: install it (Debian: apt-get install chromium-headless-shell)';
  if (process.env.CI === 'true') throw new Error(reason);
  return reason;
}

export async function openBrowser(): Promise<Browser> {
  const executablePath = CANDIDATES.find((file) => fs.existsSync(file)) ?? '';
  return await chromium.launch({
    executablePath,
    // They take room in the browsers of people with a mouse.
    ignoreDefaultArgs: ['--hide-scrollbars'],
    args: [
      // Root may not use Chromium's sandbox; the pages are our own.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--disable-gpu',
      '--disable-quic',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  });
}
