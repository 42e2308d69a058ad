import type { Page } from 'playwright-core';

/** As text: tests are not compiled with the types of a browser. */
const FIND = `[document.documentElement, ...document.querySelectorAll('main')].flatMap((place) => {
  if (place.scrollWidth <= place.clientWidth) return [];
  const end = place.getBoundingClientRect().left + place.clientWidth;
  const beyond = [...place.querySelectorAll('*')].filter((each) => each.getBoundingClientRect().right > end + 0.5);
  const last = beyond.at(-1);
  return [place.tagName + ' ' + place.scrollWidth + ' of ' + place.clientWidth + ': ' + (last?.outerHTML.slice(0, 200) ?? '')];
})`;

/**
 * What would have to be scrolled sideways: the document, or the part of it that scrolls beside the navigation. Each with the last
 * element that reaches beyond it.
 */
export function tooWide(page: Page): Promise<string[]> {
  return page.evaluate(FIND);
}
