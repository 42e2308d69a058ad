import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8');
const tokens = new Map(
  [...css.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g)].map(
    ([, name = '', light = '', dark = '']) => [name, { light, dark }],
  ),
);

const BACKGROUNDS = ['bg', 'surface', 'raised', 'soft'];
const TEXTS = [
  'text',
  'dim',
  'accent',
  'danger',
  'warn',
  'ok',
  'info',
  ...Array.from({ length: 8 }, (_, n) => `level-${n}`),
];

function luminance(color: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** As WCAG 2.2 defines it. */
function contrast(a: string, b: string, theme: 'light' | 'dark'): number {
  const [x, y] = [a, b].map((name) => luminance(tokens.get(name)![theme]));
  return (Math.max(x!, y!) + 0.05) / (Math.min(x!, y!) + 0.05);
}

describe.each(['light', 'dark'] as const)('%s', (theme) => {
  test.each(TEXTS)('%s can be read on every background', (text) => {
    for (const background of BACKGROUNDS)
      expect(contrast(text, background, theme)).toBeGreaterThanOrEqual(4.5);
  });
  test.each(Array.from({ length: 8 }, (_, n) => `highlight-${n + 1}`))('text can be read on %s', (ground) => {
    for (const text of ['text', 'dim', ...Array.from({ length: 8 }, (_, n) => `level-${n}`)])
      expect(contrast(text, ground, theme)).toBeGreaterThanOrEqual(4.5);
  });
  test('text on buttons and on what was found can be read', () => {
    expect(contrast('on-accent', 'accent', theme)).toBeGreaterThanOrEqual(4.5);
    expect(contrast('text', 'mark', theme)).toBeGreaterThanOrEqual(4.5);
    expect(contrast('surface', 'text', theme)).toBeGreaterThanOrEqual(4.5);
    expect(contrast('on-accent', 'danger', theme)).toBeGreaterThanOrEqual(4.5);
  });
  test('edges of inputs and the focus ring can be seen', () => {
    for (const background of BACKGROUNDS) {
      expect(contrast('focus', background, theme)).toBeGreaterThanOrEqual(3);
      expect(contrast('edge', background, theme)).toBeGreaterThanOrEqual(3);
    }
  });
});
