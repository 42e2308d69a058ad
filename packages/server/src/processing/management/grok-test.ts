import type { GrokPatternTestRequest } from '@millrace/contract';
import { InvalidError } from '#core/index.ts';
import type { PatternMap } from './grok-check.ts';
import type { GrokThreads } from './grok-threads.ts';

const LIMIT_MS = 2000;

/** The fields that a pattern finds in a text; empty when it is not found. */
export async function testPattern(
  threads: GrokThreads,
  known: PatternMap,
  { grok_pattern: { name, pattern }, sample_data, sampleData }: GrokPatternTestRequest,
): Promise<Record<string, unknown>> {
  const text = sample_data ?? sampleData ?? '';
  const patterns = new Map([...known, [name, pattern]]);
  const answer = await threads.match({ patterns, pattern: `%{${name}}`, text, limitMs: LIMIT_MS });
  if ('slow' in answer) throw new InvalidError(`The pattern takes longer than ${LIMIT_MS} ms for this text.`);
  if ('error' in answer) throw new InvalidError(`The grok pattern is not valid: ${answer.error}.`);
  // 64-bit integers beyond what JSON numbers hold exactly are shown as text.
  return Object.fromEntries(
    [...(answer.fields ?? [])].map(([field, value]) => [
      field,
      typeof value === 'bigint' ? String(value) : value,
    ]),
  );
}
