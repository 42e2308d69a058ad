import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { fieldReader, InvalidConfiguration, type Message } from '#core/index.ts';
import { STOCK_GROK_PATTERNS } from '#processing/rules/index.ts';
import { type ExtractorSketch, extract, sketched } from '#testing/extractor-processing.ts';
import { compileExtractor } from './compile.ts';
import { CONVERTERS } from './converters/registry.ts';
import { EXTRACTOR_TYPES } from './types/registry.ts';

interface Case {
  readonly x: ExtractorSketch;
  readonly in?: Readonly<Record<string, unknown>>;
  readonly out?: Readonly<Record<string, unknown>>;
  readonly err?: string;
  readonly refused?: string;
}

const CASES = ['types.jsonl', 'converters.jsonl'].flatMap((file) =>
  fs
    .readFileSync(path.join(import.meta.dirname, 'corpus', file), 'utf8')
    .split('\n')
    .map((text, index) => ({ text, place: `${file}:${index + 1}` }))
    .filter(({ text }) => text !== '' && !text.startsWith('#'))
    .map(({ text, place }) => ({ text, place, case: JSON.parse(text) as Case })),
);

/** The table `owners`, which the cases of lookup tables use. */
const OWNERS = new Map<string, string | number | boolean>([
  ['web-1', 'Ann'],
  ['web 2', 'Bob B.'],
  ['404', 42],
  ['up', true],
]);
const lookups = {
  lookup: (table: string, key: string) =>
    table === 'owners' ? { single: OWNERS.get(key) ?? null, multi: null } : undefined,
};

const nothing: Readonly<Record<string, unknown>> = {};
/** Big integers are written as texts with an n in the corpus. */
const shown = (value: unknown) => (typeof value === 'bigint' ? `${value}n` : (value ?? null));

function fieldsOf(message: Message, names: readonly string[]) {
  return Object.fromEntries(names.map((name) => [name, shown(fieldReader(name)(message))]));
}

test.each(CASES)('$place: $text', ({ case: { x, in: given = nothing, out = nothing, err, refused } }) => {
  const compiled = compileExtractor(sketched(x), { grokPatterns: STOCK_GROK_PATTERNS });
  if (refused !== undefined) {
    expect(compiled).toBeInstanceOf(InvalidConfiguration);
    if (compiled instanceof InvalidConfiguration) {
      expect(compiled.problems.map((problem) => problem.path)).toEqual([refused]);
    }
    return;
  }
  expect(compiled).not.toBeInstanceOf(InvalidConfiguration);
  const message = extract([x], given, { lookups });
  expect(fieldsOf(message, Object.keys(out))).toEqual(out);
  const error = message.getField('gl2_processing_error');
  if (err === undefined) expect(error).toBeUndefined();
  else expect(error).toContain(err);
});

test('the corpus has accepted and refused cases of every type and converter', () => {
  for (const { id } of EXTRACTOR_TYPES.types) {
    expect(CASES.filter(({ case: { x, out } }) => x.type === id && out !== undefined).length).toBeGreaterThan(
      4,
    );
  }
  for (const { id } of CONVERTERS.types) {
    const cases = CASES.filter(({ case: { x } }) => x.converters?.some(({ type }) => type === id));
    expect(cases.length, id).toBeGreaterThan(2);
  }
});

test('every type and converter is documented, with all its fields', () => {
  for (const { name, description, fields } of [...EXTRACTOR_TYPES.types, ...CONVERTERS.types]) {
    expect(description, name).toMatch(/^[A-Z].*\.$/);
    for (const each of Object.values(fields)) expect(each.description, name).not.toBe('');
  }
});
