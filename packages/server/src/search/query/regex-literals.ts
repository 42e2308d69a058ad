/**
 * What a regular expression says about every text that it matches, for the index and to leave out values of other types. It
 * understands what people write most of the time, and whatever it does not understand may be any text.
 */
import { foldCase, isWordUnit, wordsOf } from './words.ts';

export interface RegexLiterals {
  /** Words in lower case that every matching text contains. */
  readonly words: readonly string[];
  /** The longest piece, in lower case, that every matching text contains; empty when none is known. */
  readonly longestText: string;
}

const NOTHING: RegexLiterals = { words: [], longestText: '' };

/** Shorter words are in too many texts. */
const SHORTEST_WORD = 3;
/** Each is looked up by itself. */
const MAX_WORDS = 4;

/**
 * What matches one after the other. `text`: exactly this, where the case may differ. `gap`: the end of a text, or characters that
 * are in no word. `any`: whatever it is, possibly nothing.
 */
type Piece =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'gap' }
  | { readonly type: 'any' };

const GAP: Piece = { type: 'gap' };
const ANY: Piece = { type: 'any' };

/** @param source valid in RE2 */
export function regexLiterals(source: string): RegexLiterals {
  const pieces = new PieceReader(source).read();
  if (pieces === undefined) return NOTHING;
  const runs = runsOf(pieces);
  const texts = runs.map(({ text }) => foldCase(text));
  return {
    words: usefulWords(runs.flatMap(completeWords)).filter(
      // Where case does not matter, an `s` may be `ſ`, which the index takes for another letter.
      (word) => !(word.includes('s') && /\(\?[a-zA-Z]*i/.test(source)),
    ),
    longestText: texts.reduce((longest, text) => (text.length > longest.length ? text : longest), ''),
  };
}

function isBetweenWords(piece: Piece): boolean {
  return piece.type === 'gap' || (piece.type === 'text' && !isWordUnit(foldCase(piece.text).charCodeAt(0)));
}

/** Text without a gap, and whether the words at its ends could go on. */
interface Run {
  readonly text: string;
  readonly isOpenAtStart: boolean;
  readonly isOpenAtEnd: boolean;
}

function runsOf(pieces: readonly Piece[]): Run[] {
  const runs: Run[] = [];
  let text = '';
  let isOpenAtStart = true;
  for (const piece of [...pieces, ANY]) {
    if (piece.type === 'text') {
      text += piece.text;
      continue;
    }
    const isOpenAtEnd = piece.type === 'any';
    if (text !== '') runs.push({ text, isOpenAtStart, isOpenAtEnd });
    text = '';
    isOpenAtStart = isOpenAtEnd;
  }
  return runs;
}

/** ASCII only: how other letters are folded may depend on their neighbours. */
function completeWords({ text, isOpenAtStart, isOpenAtEnd }: Run): string[] {
  const folded = foldCase(text);
  const words = wordsOf(folded);
  if (isOpenAtStart && isWordUnit(folded.charCodeAt(0))) words.shift();
  if (isOpenAtEnd && isWordUnit(folded.charCodeAt(folded.length - 1))) words.pop();
  return words.filter((word) => /^[0-9a-z]+$/.test(word));
}

/** Long words are rarer. */
function usefulWords(words: readonly string[]): string[] {
  return [...new Set(words)]
    .filter((word) => word.length >= SHORTEST_WORD)
    .sort((one, other) => other.length - one.length)
    .slice(0, MAX_WORDS);
}

const FLAGS = /^\(\?[imsU]*(?:-[imsU]+)?\)/;
const GROUP_START = /^\((?:\?(?::|P?<[^>]*>))?(?!\?)/;
const QUANTIFIER = /^(?:[*+?]|\{(\d+)(?:,\d*)?\})\??/;
/** Characters that are in no word, one by one. */
const CLASS_OF_GAPS = /^\[(?:[ !"#%&'()*+,./:;<=>@_`{|}~]|\\[stnrfv\-./[\]\\^$|()*+?{}])+\]/;
const CLASS = /^\[\^?\]?(?:\[:\^?[a-z]+:\]|\\.|[^\]\\])*\]/s;

class PieceReader {
  #rest: string;

  constructor(source: string) {
    this.#rest = source;
  }

  /** Undefined if it says nothing as a whole. */
  read(): Piece[] | undefined {
    const pieces = this.#sequence();
    return this.#rest === '' ? pieces : undefined;
  }

  /** Until the end or a closing bracket. Undefined if there are alternatives, or something unknown. */
  #sequence(): Piece[] | undefined {
    const pieces: Piece[] = [];
    let isKnown = true;
    while (this.#rest !== '' && !this.#rest.startsWith(')')) {
      if (this.#take(/^\|/) !== undefined) {
        isKnown = false;
        continue;
      }
      const item = this.#item();
      if (item === undefined) return undefined;
      pieces.push(...this.#quantified(item));
    }
    return isKnown ? pieces : [ANY];
  }

  #quantified(item: readonly Piece[]): readonly Piece[] {
    const [quantifier, least] = this.#take(QUANTIFIER) ?? [];
    if (quantifier === undefined) return item;
    if (/^[*?]/.test(quantifier) || Number(least ?? 1) === 0) return [ANY];
    const isGap = item.length > 0 && item.every(isBetweenWords);
    return [...item, isGap ? GAP : ANY];
  }

  /** Undefined for what is not understood: nothing is known about the rest then. */
  #item(): Piece[] | undefined {
    if (this.#take(FLAGS) !== undefined) return [];
    if (this.#rest.startsWith('(')) return this.#group();
    if (this.#take(CLASS_OF_GAPS) !== undefined) return [GAP];
    if (this.#rest.startsWith('[')) return this.#take(CLASS) && [ANY];
    if (this.#rest.startsWith('\\')) return this.#escape();
    const [character = ''] = this.#rest;
    this.#rest = this.#rest.slice(character.length);
    if (character === '^' || character === '$') return [GAP];
    if (/[*+?]/.test(character)) return undefined;
    return character === '.' ? [ANY] : [{ type: 'text', text: character }];
  }

  #group(): Piece[] | undefined {
    if (this.#take(GROUP_START) === undefined) return undefined;
    const pieces = this.#sequence();
    return pieces && this.#take(/^\)/) && pieces;
  }

  #escape(): Piece[] | undefined {
    const letter = this.#rest[1] ?? '';
    if (!/[sdwSDWbBAztnrfv]|[!-/:-@[-`{-~]/.test(letter)) return undefined;
    this.#rest = this.#rest.slice(2);
    if (/[sAztnrfv]/.test(letter)) return [GAP];
    return /[dwSDWbB]/.test(letter) ? [ANY] : [{ type: 'text', text: letter }];
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    const found = pattern.exec(this.#rest) ?? undefined;
    this.#rest = this.#rest.slice(found?.[0].length ?? 0);
    return found;
  }
}
