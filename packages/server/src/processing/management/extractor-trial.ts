import { MAX_SIMULATED_TEXT } from '@millrace/contract';
import {
  createFieldLayouts,
  InvalidConfiguration,
  monotonicClock,
  systemClock,
  type TimeGuard,
} from '#core/index.ts';
import { createMetrics } from '#telemetry/index.ts';
import { compileExtractor, type ExtractorDefinition, tryExtractor } from '../extractors/index.ts';
import { PROCESSING_ERROR_FIELD } from '../framework/index.ts';
import {
  AnswerRoom,
  changesOf,
  type FieldChange,
  fieldsOf,
  messageOf,
  type SimulatedMessage,
} from '../simulation/index.ts';
import { hasQuickPatterns, isQuickOn } from './extractor-tests.ts';

/** An extractor and a message to try it on. Plain data. */
export interface ExtractorTrial {
  readonly extractor: ExtractorDefinition;
  readonly message: SimulatedMessage;
  readonly grokPatterns: ReadonlyMap<string, string>;
  readonly timeoutMs: number;
}

export type TrialResult =
  | { readonly kind: 'invalid'; readonly problems: InvalidConfiguration['problems'] }
  | {
      readonly kind: 'tried';
      readonly isLookedAt: boolean;
      readonly changes: readonly FieldChange[];
      readonly error: string | undefined;
    };

/** Converters take no time for texts of this length. */
const QUICK_CONVERTED_LENGTH = 200;

/** Whether it can run at once: it needs neither a time guard nor a thread of its own. */
export function isQuickTrial({ extractor, message, ...settings }: ExtractorTrial): boolean {
  const { type, configuration, conditionValue, converters, sourceField } = extractor;
  const configured = [configuration, ...converters.map(({ config }) => config)].flatMap(Object.values);
  if (!hasQuickPatterns(type, [conditionValue, ...configured])) return false;
  const text = String(message.fields.get(sourceField) ?? '');
  if (converters.length > 0 && text.length > QUICK_CONVERTED_LENGTH) return false;
  return isQuickOn(compileExtractor(extractor, settings), text, settings.timeoutMs);
}

/** All of it, as a worker does: condition, type, cut, converters. What takes too long is broken off and said. */
export function runTrial(guard: TimeGuard, { extractor, message, ...settings }: ExtractorTrial): TrialResult {
  const compiled = compileExtractor(extractor, settings);
  if (compiled instanceof InvalidConfiguration) return { kind: 'invalid', problems: compiled.problems };
  const run = (given: SimulatedMessage) => {
    const tried = messageOf(given, createFieldLayouts());
    tried.id = given.id;
    const before = fieldsOf(tried);
    const deps = { guard, monotonic: monotonicClock, metrics: createMetrics({ clock: systemClock }) };
    const isLookedAt = tryExtractor({ ...deps, timeoutMs: settings.timeoutMs }, compiled, tried);
    return { before, after: fieldsOf(tried), isLookedAt };
  };
  const { before, after, isLookedAt } = run(message);
  // A message that was received after the extractor was saved has its fields already: what it writes is seen without.
  const alone = run({ ...message, fields: onlyField(message.fields, extractor.sourceField) });
  const written = [...changesOf(before, after), ...changesOf(alone.before, alone.after)];
  const names = new Set(written.map(({ field }) => field));
  const changes = [...names].map((field) => ({ field, before: before.get(field), after: after.get(field) }));
  const error = looksUp(extractor) ? LOOK_UPS_ARE_LEFT_OUT : after.get(PROCESSING_ERROR_FIELD);
  return {
    kind: 'tried',
    isLookedAt,
    changes: new AnswerRoom({ textCharacters: MAX_SIMULATED_TEXT, messages: 1 }).changes(changes),
    error: error === undefined ? undefined : String(error),
  };
}

/** What tables contain is for those who may read them. */
const LOOK_UPS_ARE_LEFT_OUT =
  'Lookup tables are not asked here, as if they had no value. What a table has for a key shows its own test.';

function looksUp({ type, converters }: ExtractorDefinition): boolean {
  return [type, ...converters.map((each) => each.type)].includes('lookup_table');
}

function onlyField(fields: SimulatedMessage['fields'], name: string): SimulatedMessage['fields'] {
  const value = fields.get(name);
  return new Map(value === undefined ? [] : [[name, value]]);
}
