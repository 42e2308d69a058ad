/** What can stand at the cursor of the rule editor. */
import type { PipelineFunctionView } from '@millrace/contract';

export interface RuleSuggestion {
  readonly kind: 'function' | 'field' | 'keyword';
  readonly label: string;
  /** What is written; `|` is where the cursor goes. */
  readonly text: string;
  readonly detail: string;
  readonly about?: PipelineFunctionView;
}

export interface RuleSuggestions {
  /** Where what is replaced begins. */
  readonly from: number;
  readonly options: readonly RuleSuggestion[];
}

export interface RuleWords {
  readonly functions: readonly PipelineFunctionView[];
  readonly fields: readonly string[];
}

const KEYWORDS = ['rule', 'when', 'then', 'end', 'let', 'and', 'or', 'not', 'true', 'false'];
/** Lines to which nothing is added. */
const COMPLETE_LINE = /(?:^|\n)[ \t]*(?:when|then|end)$/;
const PLAIN_NAME = /^[A-Za-z_]\w*$/;

/**
 * @param before the text before the cursor
 * @param isWanted whether somebody asked for suggestions: then there are some without a first letter, too
 */
export function ruleSuggestions(
  before: string,
  { functions, fields }: RuleWords,
  isWanted: boolean,
): RuleSuggestions | undefined {
  const field = /\$message\.(`?[\w@-]*)$/.exec(before);
  if (field !== null)
    return { from: before.length - (field[1] ?? '').length, options: fields.map(fieldOption) };
  const quoted = /_field\(\s*(?:field\s*:\s*)?"([^"\n]*)$/.exec(before);
  if (quoted !== null) {
    const options = fields.map((name) => ({ ...fieldOption(name), text: name }));
    return { from: before.length - (quoted[1] ?? '').length, options };
  }
  if (isInText(before) || (isComplete(before) && !isWanted)) return undefined;
  const word = /[$\w]*$/.exec(before)?.[0] ?? '';
  if (word === '' && !isWanted) return undefined;
  return {
    from: before.length - word.length,
    options: [
      ...functions.map(functionOption),
      { kind: 'field', label: '$message', text: '$message.|', detail: 'a field of the message' },
      ...KEYWORDS.map((name) => ({ kind: 'keyword' as const, label: name, text: name, detail: '' })),
    ],
  };
}

function fieldOption(name: string): RuleSuggestion {
  const text = PLAIN_NAME.test(name) ? name : `\`${name}\``;
  return { kind: 'field', label: name, text, detail: 'field' };
}

function functionOption(about: PipelineFunctionView): RuleSuggestion {
  const { name, params, return_type } = about;
  const shown = params.map(({ name: each, optional }) => (optional ? `${each}?` : each)).join(', ');
  return {
    kind: 'function',
    label: name,
    text: params.length === 0 ? `${name}()|` : `${name}(|)`,
    detail: `(${shown}): ${return_type}`,
    about,
  };
}

/** Whether the line ends with a word that stands alone: what is suggested would only cover what is below. */
export function isComplete(before: string): boolean {
  return COMPLETE_LINE.test(before);
}

/** Inside of quotes or of a comment nothing is suggested. */
function isInText(before: string): boolean {
  const line = before.slice(before.lastIndexOf('\n') + 1);
  const withoutTexts = line.replace(/"(?:[^"\\]|\\.)*"/g, '');
  return withoutTexts.includes('"') || withoutTexts.includes('//');
}
