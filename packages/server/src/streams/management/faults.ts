import { errorMessage, type FaultLedger } from '#core/index.ts';
import type { Metadata } from '#metadata/index.ts';
import type { Notifications, SystemMessages } from '#system/service.ts';
import type { Counter, Logger, Metrics } from '#telemetry/index.ts';
import type { ExtractorFault, RuleFault, StreamFault } from '../index.ts';
import type { SnapshotPublisher } from './snapshot-publisher.ts';

/** How operators hear of streams that were disabled. */
export interface Operators {
  readonly notifications: Pick<Notifications, 'publish' | 'fix'>;
  readonly systemMessages: Pick<SystemMessages, 'publish'>;
}

/** Disables streams, rules of pipelines and extractors that exceeded their time limit too often. */
export interface StreamFaults {
  /** A worker has counted a fault. Returns at once and never throws. */
  reported(fault: StreamFault): void;
  /** The same for a rule of a pipeline. */
  ruleReported(fault: RuleFault): void;
  /** The same for an extractor. */
  extractorReported(fault: ExtractorFault): void;
  /** Disables every stream, rule and extractor with too many faults, including those for which an earlier attempt failed. */
  disableExceeded(): Promise<void>;
}

export interface StreamFaultDeps {
  readonly metadata: Metadata;
  readonly operators: Operators;
  readonly ledger: FaultLedger;
  readonly publisher: SnapshotPublisher;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

export interface StreamFaultSettings {
  readonly streamTimeoutMs: number;
  readonly maxFaults: number;
}

export function createStreamFaults(deps: StreamFaultDeps, settings: StreamFaultSettings): StreamFaults {
  const { metadata, operators, ledger, publisher, logger } = deps;
  const { streams } = metadata.repositories;
  const faults = deps.metrics.counter('millrace.processing.stream_faults', {
    help: 'Messages on which the rules of a stream exceeded their time limit',
  });
  const ruleFaults = deps.metrics.counter('millrace.processing.rule_faults', {
    help: 'Messages on which a rule of a pipeline exceeded its time limit',
  });
  const extractorFaults = deps.metrics.counter('millrace.processing.extractor_faults', {
    help: 'Messages on which an extractor exceeded its time limit',
  });
  let working: Promise<void> = Promise.resolve();

  async function disable(streamId: string): Promise<void> {
    const count = ledger.countOf(streamId);
    const stream = await streams.find(streamId);
    if (stream === undefined) return;
    const reason =
      `Its rules took longer than ${settings.streamTimeoutMs} ms on ${count} messages; ` +
      `more than ${settings.maxFaults} such faults disable a stream. Change or delete the slow rules, then resume it.`;
    if (!(await streams.setState(streamId, 'disabled', reason, 'running'))) return;
    await operators.notifications.publish({
      type: 'stream_processing_disabled',
      key: streamId,
      severity: 'urgent',
      details: { stream_id: streamId, stream_title: stream.title, fault_count: count },
    });
    await operators.systemMessages.publish(
      'streams',
      `Stream "${stream.title}" (${streamId}) disabled: ${reason}`,
    );
  }

  async function disableExceeded(): Promise<void> {
    const isExceeded = ({ id }: { readonly id: string }) => ledger.countOf(id) > settings.maxFaults;
    const rules = (publisher.current()?.pipelines.rules ?? []).filter(isExceeded);
    const exceeded = (publisher.current()?.streams ?? []).filter(isExceeded);
    const extractors = (publisher.current()?.extractors ?? []).filter(isExceeded);
    if (exceeded.length + rules.length + extractors.length === 0) return;
    try {
      for (const { id } of exceeded) await disable(id);
      for (const { id } of rules) await disableRule(deps, settings, id);
      for (const { id } of extractors) await disableExtractor(deps, settings, id);
      await publisher.refresh();
    } catch (error) {
      // Workers ignore it in any case; the next check tries again.
      logger.warn({ reason: errorMessage(error) }, 'what had too many faults could not be disabled yet');
    }
  }

  function enqueue(): Promise<void> {
    working = working.then(disableExceeded, disableExceeded);
    return working;
  }

  /** What is done about one fault: counted, told, and enough. */
  function report(
    counter: Counter,
    what: Readonly<Record<string, string>>,
    count: number,
    text: string,
  ): void {
    counter.increment();
    logger.warn({ ...what, faults: count, limitMs: settings.streamTimeoutMs }, text);
    if (count > settings.maxFaults) void enqueue();
  }

  return {
    disableExceeded: enqueue,
    ruleReported: ({ ruleId, count }) =>
      report(ruleFaults, { rule: ruleId }, count, 'a rule of a pipeline exceeded its time limit'),
    extractorReported: ({ extractorId, count }) =>
      report(extractorFaults, { extractor: extractorId }, count, 'an extractor exceeded its time limit'),
    reported: ({ streamId, count }) =>
      report(faults, { stream: streamId }, count, 'the rules of a stream exceeded their time limit'),
  };
}

async function disableRule(
  { metadata, operators, ledger }: StreamFaultDeps,
  settings: StreamFaultSettings,
  ruleId: string,
): Promise<void> {
  const { pipelineRules } = metadata.repositories;
  const count = ledger.countOf(ruleId);
  const rule = await pipelineRules.find(ruleId);
  if (rule === undefined) return;
  const reason =
    `It took longer than ${settings.streamTimeoutMs} ms on ${count} messages; ` +
    `more than ${settings.maxFaults} such faults disable a rule. Change what is slow and save it.`;
  if (!(await pipelineRules.disable(ruleId, reason))) return;
  await operators.notifications.publish({
    type: 'pipeline_rule_disabled',
    key: ruleId,
    severity: 'urgent',
    details: { rule_id: ruleId, rule_title: rule.title, fault_count: count },
  });
  await operators.systemMessages.publish(
    'pipelines',
    `Pipeline rule "${rule.title}" (${ruleId}) disabled: ${reason}`,
  );
}

async function disableExtractor(
  { metadata, operators, ledger }: StreamFaultDeps,
  settings: StreamFaultSettings,
  id: string,
): Promise<void> {
  const { extractors } = metadata.repositories;
  const count = ledger.countOf(id);
  const extractor = await extractors.find(id);
  if (extractor === undefined) return;
  const { title, inputId } = extractor;
  const reason =
    `It took longer than ${settings.streamTimeoutMs} ms on ${count} messages; ` +
    `more than ${settings.maxFaults} such faults disable an extractor. Change what is slow and save it.`;
  if (!(await extractors.disable(id, reason))) return;
  await operators.notifications.publish({
    type: 'extractor_disabled',
    key: id,
    severity: 'urgent',
    details: { extractor_id: id, extractor_title: title, input_id: inputId, fault_count: count },
  });
  // Whoever has deleted it meanwhile has not seen the notification.
  if ((await extractors.find(id)) === undefined) await operators.notifications.fix('extractor_disabled', id);
  await operators.systemMessages.publish(
    'extractors',
    `Extractor "${title}" (${id}) of input ${inputId} disabled: ${reason}`,
  );
}
