import fs from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { eventually } from '../../packages/server/src/testing/eventually.ts';
import { keepLegible, knownLegible, rememberContrast, UNKNOWN_TEXTS } from './contrast-memory.ts';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * What axe finds on the page as it is now, in lines that say where: all its rules in the theme of the page, and those about
 * colours in the other theme too, because nothing else differs. In the other theme axe itself runs only where a text looks
 * like none that it found legible before. The page stays in that other theme: it takes as long to switch back as to look, and
 * the next call looks at both again.
 *
 * axe runs in the page itself and describes only what is wrong. Its own package for Playwright opens a second page and
 * describes everything, which takes 4 to 6 times as long.
 */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  const problems = await accessibilityProblemsOfTheme(page);
  const isDark = await page.evaluate('matchMedia("(prefers-color-scheme: dark)").matches');
  await useTheme(page, isDark ? 'light' : 'dark');
  problems.push(...(await violations(page, UNKNOWN_TEXTS, { type: 'rule', values: ['color-contrast'] })));
  return problems;
}

/** The same in the theme of the page only, for a test that opens the page in either theme. */
export async function accessibilityProblemsOfTheme(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) {
    await page.evaluate(axeSource());
    await rememberContrast(page);
  }
  await page.evaluate(END_ANIMATIONS);
  return await violations(page, PLACES, { type: 'tag', values: TAGS });
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

/**
 * Where axe looks: all of the page, or only the dialogs while one covers the page. What is behind it can neither be used nor be
 * read, and axe cannot judge its colours. Each page that opens a dialog is looked at as a whole by itself.
 */
const PLACES = `((dialogs) => dialogs.length > 0 ? dialogs : [document.documentElement])(
  [...document.querySelectorAll('[aria-modal=true]')].filter((dialog) => dialog.checkVisibility({ visibilityProperty: true })))`;

/** Only what is wrong has its HTML read: axe would read that of everything, before it knows. */
async function violations(page: Page, where: string, runOnly: axe.RunOnly): Promise<string[]> {
  const options: axe.RunOptions = {
    runOnly,
    resultTypes: ['violations'],
    iframes: false,
    elementRef: true,
  };
  const { problems, looks } = await page.evaluate<{ problems: string[]; looks: string[] }>(`(async () => {
    const places = ${where};
    if (places.length === 0) return { problems: [], looks: [] };
    contrastMemory.begin(places, ${JSON.stringify(knownLegible())});
    axe.configure({ noHtml: true });
    const isWhole = places[0] === document.documentElement;
    const found = await axe.run(isWhole ? document : { include: places }, ${JSON.stringify(options)});
    const problems = found.violations.flatMap(({ id, nodes }) => nodes.map(({ element, failureSummary }) =>
      id + ': ' + element?.outerHTML.slice(0, 300) + ': ' + (failureSummary ?? '')));
    return { problems, looks: contrastMemory.end() };
  })()`);
  keepLegible(looks);
  return problems;
}

let source: string | undefined;

function axeSource(): string {
  source ??= fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  return source;
}
