/** Finds the rules of a stage that may match a message, without looking at the others. */
import { textOf, type Value } from '@millrace/rules';
import type { Message } from '#core/index.ts';
import { type ReadField, readerOf } from '../rules/index.ts';
import type { Question, SharedCondition } from './conditions.ts';

interface FieldIndex {
  readonly read: ReadField;
  /** Positions of rules, by the value they ask for. */
  readonly equals: Map<string | number, number[]>;
  readonly text: Map<string, number[]>;
  readonly present: number[];
}

export interface RuleIndex {
  /** Positions of the rules that may match, ascending. */
  candidates(message: Message): readonly number[];
}

/** Below this number an index costs more than it saves. */
const WORTH_IT = 4;

export function createRuleIndex(
  rules: readonly { readonly conditions: readonly SharedCondition[] }[],
): RuleIndex {
  const all = rules.map((_, position) => position);
  if (rules.length < WORTH_IT) return { candidates: () => all };
  const fields = new Map<string, FieldIndex>();
  const always: number[] = [];
  for (const [position, { conditions }] of rules.entries()) {
    const question = bestQuestion(conditions);
    if (question === undefined) always.push(position);
    else register(fields, question, position);
  }
  const [first, ...more] = fields.values();
  if (first === undefined) return { candidates: () => all };
  if (more.length === 0) return oneFieldIndex(first, always, all);
  const indexes = [first, ...more];
  return {
    candidates(message) {
      const found = [...always];
      // A value that cannot be compared here may match: the conditions say what is wrong with it.
      try {
        for (const index of indexes) collect(index, index.read(message), found);
      } catch {
        return all;
      }
      return ascending(found);
    },
  };
}

/** Mostly rules ask for values of one field. What may match a text is known beforehand then. */
function oneFieldIndex(index: FieldIndex, always: readonly number[], all: readonly number[]): RuleIndex {
  const candidatesFor = (value: Value) => {
    const found = [...always];
    collect(index, value, found);
    return ascending(found);
  };
  const texts = [...index.equals.keys(), ...index.text.keys()].filter((value) => typeof value === 'string');
  const byText = new Map(texts.map((text) => [text, candidatesFor(text)]));
  const whenPresent = ascending([...always, ...index.present]);
  return {
    candidates(message) {
      try {
        const value = index.read(message);
        if (value === undefined) return always;
        return typeof value === 'string' ? (byText.get(value) ?? whenPresent) : candidatesFor(value);
      } catch {
        return all;
      }
    },
  };
}

function ascending(positions: number[]): readonly number[] {
  return positions.length > 1 ? positions.sort((one, other) => one - other) : positions;
}

/** A value says more than that a field is there. */
function bestQuestion(conditions: readonly SharedCondition[]): Question | undefined {
  const questions = conditions.flatMap(({ question }) => question ?? []);
  return questions.find(({ kind }) => kind !== 'has') ?? questions[0];
}

function register(fields: Map<string, FieldIndex>, question: Question, position: number): void {
  let index = fields.get(question.field);
  if (index === undefined) {
    index = { read: readerOf(question.field), equals: new Map(), text: new Map(), present: [] };
    fields.set(question.field, index);
  }
  if (question.kind === 'has') index.present.push(position);
  else if (question.kind === 'text') add(index.text, String(question.value), position);
  else add(index.equals, question.value, position);
}

function add<Key>(map: Map<Key, number[]>, key: Key, position: number): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [position]);
  else list.push(position);
}

function collect({ equals, text, present }: FieldIndex, value: Value, found: number[]): void {
  if (value === undefined) return;
  found.push(...present);
  if (equals.size > 0 && (typeof value === 'string' || typeof value === 'number')) {
    found.push(...(equals.get(value) ?? NOTHING));
  }
  if (text.size > 0) found.push(...(text.get(textOf(value)) ?? NOTHING));
}

const NOTHING: readonly number[] = [];
