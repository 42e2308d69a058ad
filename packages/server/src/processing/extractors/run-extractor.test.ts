import { expect, test } from 'vitest';
import {
  createFaultCounter,
  createFaultLedger,
  createTimeGuard,
  fieldReader,
  InvalidConfiguration,
  monotonicClock,
} from '#core/index.ts';
import { createMetrics } from '#telemetry/index.ts';
import { sketched } from '#testing/extractor-processing.ts';
import { ManualClock } from '#testing/manual-clock.ts';
import { aMessage } from '#testing/message-fixture.ts';
import { compileExtractor } from './compile.ts';
import type { Conversion } from './converter.ts';
import { extractorMeters } from './metrics.ts';
import { runExtractor } from './run-extractor.ts';

const LIMIT_MS = 1000;
/** Takes years on some texts. */
const SLOW: Conversion = {
  kind: 'value',
  convert: (text) => (/^(x+)+y$/.test(text) ? 0 : text.length),
};

function slowExtractor(target: string, type: string, configuration: object) {
  const sketch = { type, target, config: { ...configuration } };
  const compiled = compileExtractor(sketched(sketch), { grokPatterns: new Map() });
  if (compiled instanceof InvalidConfiguration) throw compiled;
  return {
    id: 'x1',
    compiled: { ...compiled, conversions: [{ name: 'slow', conversion: SLOW }] },
    meters: extractorMeters(createMetrics({ clock: new ManualClock() }), 'x1'),
    read: fieldReader('message'),
    safeConditionLength: Number.POSITIVE_INFINITY,
    safeLength: Number.POSITIVE_INFINITY,
  };
}

const TRAP = 'x'.repeat(1000);

test.each([
  ['what was extracted', 'copy_input', {}, { message: TRAP }, { message: 'a'.repeat(1000) }],
  [
    'what the field had before',
    'json',
    {},
    { message: '{"other":1}', out: TRAP },
    { message: '{"other":1}', out: 'a'.repeat(1000) },
  ],
] as const)('a converter that takes too long leaves %s as it is', (_, type, configuration, slow, quick) => {
  const ledger = createFaultLedger();
  const faults: string[] = [];
  const settings = { memory: ledger.memory, slots: new Map([['x1', ledger.slotOf('x1')]]), maxFaults: 3 };
  const deps = {
    guard: createTimeGuard(),
    monotonic: monotonicClock,
    faults: createFaultCounter(settings, (id) => faults.push(id)),
    timeoutMs: LIMIT_MS,
  };
  const messages = [aMessage(slow), aMessage(quick)];
  runExtractor(deps, slowExtractor('out', type, configuration), messages);
  expect(messages.map((message) => message.getField('out'))).toEqual([TRAP, 1000]);
  expect(messages.map((message) => message.getField('gl2_processing_error'))).toEqual([
    `Extractor "X": it took longer than ${LIMIT_MS} ms`,
    undefined,
  ]);
  expect(faults).toEqual(['x1']);
});
