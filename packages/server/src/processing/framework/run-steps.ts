import type { Clock, RecordBatch } from '#core/index.ts';
import type { Metrics, Timer } from '#telemetry/index.ts';
import type { ProcessingBatch, Step } from './step.ts';

export interface StepRunner {
  /** Takes the records through all steps, in order. */
  run(records: RecordBatch): ProcessingBatch;
}

export interface StepRunnerDeps {
  readonly metrics: Metrics;
  /** For durations. */
  readonly monotonic: Clock;
}

/** The time of every step is measured once per batch, under `millrace.processing.step.<name>`. */
export function createStepRunner(deps: StepRunnerDeps, steps: readonly Step[]): StepRunner {
  const timed = steps.map((step) => ({
    step,
    timer: deps.metrics.timer(`millrace.processing.step.${step.name}`, {
      help: 'Time a step of processing takes for one batch',
    }),
  }));
  return {
    run(records) {
      const batch: ProcessingBatch = { records, messages: [], targets: [] };
      for (const { step, timer } of timed) measured(deps.monotonic, timer, () => step(batch));
      return batch;
    },
  };
}

function measured(clock: Clock, timer: Timer, work: () => void): void {
  const startedAt = clock.now();
  work();
  timer.update((clock.now() - startedAt) * 1000);
}
