import {
  type Clock,
  createFaultCounter,
  createFaultLedger,
  type Message,
  type TimeGuard,
} from '#core/index.ts';
import type { Metrics } from '#telemetry/index.ts';
import type { CompiledExtractor } from './compile.ts';
import { extractorMeters } from './metrics.ts';
import { runExtractor, runnableOf } from './run-extractor.ts';

export interface TryDeps {
  readonly guard: TimeGuard;
  readonly monotonic: Clock;
  readonly metrics: Metrics;
  readonly timeoutMs: number;
}

const TRIED = 'tried';

/**
 * Runs one extractor on one message, as a worker would, and changes the message. Says whether it looked at the message:
 * whether the source is a text, and the condition holds.
 */
export function tryExtractor(deps: TryDeps, compiled: CompiledExtractor, message: Message): boolean {
  const ledger = createFaultLedger();
  const slots = new Map([[TRIED, ledger.slotOf(TRIED)]]);
  const faults = createFaultCounter({ memory: ledger.memory, slots, maxFaults: 1 }, () => {});
  const meters = extractorMeters(deps.metrics, TRIED);
  runExtractor({ ...deps, faults }, runnableOf(TRIED, compiled, meters, deps.timeoutMs), [message]);
  return meters.conditionMisses.count === 0;
}
