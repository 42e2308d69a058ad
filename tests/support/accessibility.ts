import fs from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { eventually } from '../../packages/server/src/testing/eventually.ts';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * What axe finds on the page as it is now, in lines that say where: all its rules in the theme of the page, and those about
 * colours in the other theme too, because nothing else differs. The page stays in that other theme: it takes as long to
 * switch back as to look, and the next call looks at both again.
 *
 * axe runs in the page itself and describes only what is wrong. Its own package for Playwright opens a second page and
 * describes everything, which takes 4 to 6 times as long.
 */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  const problems = await accessibilityProblemsOfTheme(page);
  const isDark = await page.evaluate('matchMedia("(prefers-color-scheme: dark)").matches');
  await useTheme(page, isDark ? 'light' : 'dark');
  problems.push(...(await violations(page, { type: 'rule', values: ['color-contrast'] })));
  return problems;
}

/** The same in the theme of the page only, for a test that opens the page in either theme. */
export async function accessibilityProblemsOfTheme(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource());
  await page.evaluate(END_ANIMATIONS);
  return await violations(page, { type: 'tag', values: TAGS });
}

const SHOWN_THEME = 'document.documentElement.dataset.mantineColorScheme';
/** Colours that change slowly would be looked at on their way. Some animations have no end. */
const END_ANIMATIONS = `for (const animation of document.getAnimations()) {
  if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();
}`;

async function useTheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await eventually(async () => expect([undefined, colorScheme]).toContain(await page.evaluate(SHOWN_THEME)));
  await page.evaluate(END_ANIMATIONS);
}

async function violations(page: Page, runOnly: axe.RunOnly): Promise<string[]> {
  return await page.evaluate(async (only) => {
    const { axe: inPage } = globalThis as unknown as { readonly axe: typeof axe };
    const found = await inPage.run({ runOnly: only, resultTypes: ['violations'], iframes: false });
    return found.violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html}: ${failureSummary ?? ''}`),
    );
  }, runOnly);
}

let source: string | undefined;

function axeSource(): string {
  source ??= fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  return source;
}
