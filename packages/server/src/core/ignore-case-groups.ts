import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp';

/**
 * The same expression without groups such as `(?i:…)`: their letters stand there in both cases. In a process that has
 * compiled many expressions (about a megabyte of code; Node.js 26.10), V8 misses matches of such groups.
 *
 * What cannot be written in this way, such as a reference to another group, stays as it is.
 */
export function withoutIgnoreCaseGroups(source: string, flags: string): string {
  if (!IGNORES_CASE.test(source)) return source;
  try {
    const mode = { unicode: flags.includes('u'), unicodeSets: flags.includes('v') };
    const pattern = new RegExpParser().parsePattern(source, 0, source.length, mode);
    return rewrite(source, pattern, flags.includes('i'));
  } catch (error) {
    // The parser does not understand everything that V8 does.
    if (error instanceof CannotRewrite || error instanceof SyntaxError) return source;
    throw error;
  }
}

const IGNORES_CASE = /\(\?[ims]*i/;
/** Longer ranges are whole scripts, which have both cases. */
const MAX_RANGE = 2000;

class CannotRewrite extends Error {}

/** Text that takes the place of another, in the order of their places. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** @param isAlready the whole expression ignores case, so there is nothing to write twice */
function rewrite(source: string, pattern: AST.Pattern, isAlready: boolean): string {
  const edits: Edit[] = [];
  const scopes: boolean[] = [false];
  const ignoresCase = () => !isAlready && scopes.at(-1) === true;
  const giveUp = () => {
    if (ignoresCase()) throw new CannotRewrite();
  };
  visitRegExpAST(pattern, {
    onGroupEnter({ start, modifiers }) {
      const { add, remove } = modifiers ?? {};
      if (isAlready && remove?.ignoreCase) throw new CannotRewrite();
      scopes.push(add?.ignoreCase || (ignoresCase() && !remove?.ignoreCase));
      if (modifiers !== null) edits.push(withoutLetter(source, modifiers, start));
    },
    onGroupLeave() {
      scopes.pop();
    },
    onCharacterEnter({ parent, start, end, value }) {
      if (!ignoresCase()) return;
      if (parent.type === 'Alternative' || parent.type === 'Quantifier') {
        const others = otherCases(value);
        if (others !== '') edits.push({ start, end, text: `[${source.slice(start, end)}${others}]` });
      } else if (parent.type !== 'CharacterClass' && parent.type !== 'CharacterClassRange') giveUp();
    },
    onCharacterClassLeave({ elements, end }) {
      if (ignoresCase()) edits.push({ start: end - 1, end: end - 1, text: elements.map(othersOf).join('') });
    },
    onCharacterSetEnter({ kind }) {
      if (kind === 'property') giveUp();
    },
    onBackreferenceEnter: giveUp,
    onExpressionCharacterClassEnter: giveUp,
    onClassStringDisjunctionEnter: giveUp,
  });
  return applied(source, edits);
}

/** `(?i:` becomes `(?:`, `(?is:` becomes `(?s:`. */
function withoutLetter(source: string, modifiers: AST.Modifiers, start: number): Edit {
  const [on = '', off = ''] = source.slice(modifiers.start, modifiers.end).split('-');
  const left = [on, off].map((letters) => letters.replace('i', ''));
  const text = left[1] === '' ? left[0] : left.join('-');
  return { start: start + 2, end: modifiers.end, text: text ?? '' };
}

/** What an element of a class lacks. */
function othersOf(element: AST.CharacterClass['elements'][number]): string {
  if (element.type === 'Character') return otherCases(element.value);
  if (element.type !== 'CharacterClassRange') return '';
  const { min, max } = element;
  if (max.value - min.value > MAX_RANGE) return '';
  let others = '';
  for (let value = min.value; value <= max.value; value++) others += otherCases(value);
  return others;
}

/** The character in its other cases: letters, which need no escape anywhere. */
function otherCases(value: number): string {
  const character = String.fromCodePoint(value);
  const cases = new Set([character.toLowerCase(), character.toUpperCase()]);
  cases.delete(character);
  return [...cases].filter((each) => [...each].length === 1).join('');
}

function applied(source: string, edits: readonly Edit[]): string {
  let text = '';
  let at = 0;
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    text += source.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return text + source.slice(at);
}
