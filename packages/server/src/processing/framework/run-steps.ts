import type { Clock, RecordBatch } from '#core/index.ts';
import type { Counter, Metrics, Timer } from '#telemetry/index.ts';
import { type BatchContext, ProcessingBatch } from './batch.ts';
import type { Step } from './step.ts';

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
export function createStepRunner(
  { metrics, monotonic }: StepRunnerDeps,
  context: BatchContext,
  steps: readonly Step[],
): StepRunner {
  const timed = steps.map((step) => ({
    step,
    timer: metrics.timer(`millrace.processing.step.${step.name}`, {
      help: 'Time a processing step takes for one batch',
    }),
  }));
  const countChanges = createChangeCounter(metrics);
  return {
    run(records) {
      const batch = new ProcessingBatch(context, records);
      for (const { step, timer } of timed) {
        if (step.namesChanges !== true) batch.leaveFrames();
        measured(monotonic, timer, () => step(batch));
        batch.removeDropped();
      }
      countChanges(batch);
      return batch;
    },
  };
}

function measured(clock: Clock, timer: Timer, work: () => void): void {
  const startedAt = clock.now();
  work();
  timer.update((clock.now() - startedAt) * 1000);
}

function createChangeCounter(metrics: Metrics): (batch: ProcessingBatch) => void {
  const counter = (name: string, help: string): Counter =>
    metrics.counter(`millrace.processing.messages.${name}`, { help });
  const dropped = counter('dropped', 'Messages that processing dropped');
  const added = counter('added', 'Messages that processing cloned or created');
  const refused = counter(
    'refused',
    'Clones and new messages beyond the number that a record or a batch may give',
  );
  return ({ changes }) => {
    if (changes.dropped > 0) dropped.increment(changes.dropped);
    if (changes.added > 0) added.increment(changes.added);
    if (changes.refused > 0) refused.increment(changes.refused);
  };
}
