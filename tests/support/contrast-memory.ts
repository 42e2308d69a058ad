import type { Page } from 'playwright-core';

/**
 * What texts that axe found legible look like, kept for as long as this process runs tests. Whether a text is legible
 * depends on its colours, its size and the colours behind it alone, which the rows of a list, the buttons of a kind and the
 * frames of all pages have in common. Every text of every page is still looked at in both themes, but axe calculates only
 * for one that looks like none before it: to parse and mix colours took two thirds of its time. What is not legible, and
 * what axe cannot judge, is never kept: it is found again wherever it is.
 */
const legible = new Set<string>();

/** As text: tests are not compiled with the types of a browser. Wants axe on the page. */
const REMEMBER = `{
  const { evaluate } = axe._audit.checks['color-contrast'];
  const known = new Set();
  let found = [];
  // Of the texts that axe looked at last: what is painted behind each. Themes change colours, and not places.
  let behind = new Map();
  let shown = new Set();
  let places = [];
  // Styles do not change while one theme is looked at.
  let layers = new Map();

  const layerOf = (element) => {
    const before = layers.get(element);
    if (before !== undefined) return before;
    const { backgroundColor, backgroundImage, opacity, mixBlendMode } = getComputedStyle(element);
    const parent = element.parentElement ?? element.getRootNode().host;
    const layer = {
      isMixed: opacity !== '1' || mixBlendMode !== 'normal' || (parent != null && layerOf(parent).isMixed),
      look: backgroundColor + (backgroundImage === 'none' ? '' : backgroundImage),
    };
    layers.set(element, layer);
    return layer;
  };

  // What the judgement depends on. Undefined: on more than this looks at.
  const lookOf = (text) => {
    const painted = [text, ...behind.get(text), document.body, document.documentElement].map(layerOf);
    if (painted.some(({ isMixed }) => isMixed)) return undefined;
    const style = getComputedStyle(text);
    const colours = painted.map(({ look }) => look).filter((look) => look !== 'rgba(0, 0, 0, 0)');
    // Nothing is seen through the first colour that is opaque.
    const opaque = colours.findIndex((colour) => /^rgb\\([^)]*\\)$/.test(colour));
    return [
      style.color, style.webkitTextFillColor, style.webkitTextStroke, style.textShadow, style.fontSize, style.fontWeight,
      ...(opaque === -1 ? colours : colours.slice(0, opaque + 1)),
    ].join(' ');
  };

  axe._audit.checks['color-contrast'].evaluate = function (text, ...rest) {
    behind.set(text, new Set(axe.commons.dom.getTextElementStack(text).flat()));
    const look = lookOf(text);
    if (known.has(look)) return true;
    let said = {};
    const isLegible = evaluate.call({ ...this, data: (data) => { said = data; this.data(data); } }, text, ...rest);
    // axe also says true of what it cannot see.
    if (isLegible === true && look !== undefined && said.contrastRatio > 1 && said.messageKey === undefined) {
      known.add(look);
      found.push(look);
    }
    return isLegible;
  };

  const textsShown = () => places.flatMap((place) => [...place.querySelectorAll('*')]).filter((element) =>
    (/^(INPUT|SELECT|TEXTAREA)$/.test(element.tagName) ||
      [...element.childNodes].some((child) => child.nodeType === Node.TEXT_NODE && child.data.trim() !== '')) &&
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true }));

  globalThis.contrastMemory = {
    begin(looked, looks) {
      places = looked;
      for (const look of looks) known.add(look);
      behind = new Map();
      layers = new Map();
    },
    end() {
      shown = new Set(textsShown());
      const news = found;
      found = [];
      return news;
    },
    // In a theme that axe has not looked at. All places again if there are other texts than in the theme before.
    unknown() {
      layers = new Map();
      const texts = [...behind.keys()];
      const isSame = texts.every((text) => text.isConnected) && textsShown().every((text) => shown.has(text));
      return isSame ? texts.filter((text) => !known.has(lookOf(text))) : places;
    },
  };
}`;

/** Has the axe on the page remember what it finds legible. */
export async function rememberContrast(page: Page): Promise<void> {
  await page.evaluate(REMEMBER);
}

/** What was found legible on any page. */
export const knownLegible = (): readonly string[] => [...legible];

export function keepLegible(looks: readonly string[]): void {
  for (const look of looks) legible.add(look);
}

/** Where axe has to look after a change of theme, an expression: at the texts that look like none found legible before. */
export const UNKNOWN_TEXTS = 'contrastMemory.unknown()';
