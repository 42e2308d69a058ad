import type { FaultLedger } from '#core/index.ts';
import type { Repositories, StreamRecord } from '#metadata/index.ts';
import type { PipelineSettings } from '../index.ts';
import { DEFAULT_PROCESSOR_ORDER, type MessageProcessorOrder } from '../snapshot.ts';

/** The key of the order of message processors among the settings of the cluster. */
export const MESSAGE_PROCESSORS_KEY = 'message_processors';

/** Pipelines for the workers: what is connected, and the rules that may run. */
export async function readPipelines(
  { pipelines, pipelineRules, grokPatterns, inputs }: Repositories,
  ledger: FaultLedger,
  named: readonly StreamRecord[],
): Promise<PipelineSettings> {
  const connections = await pipelines.connections();
  const all = await pipelines.list();
  const rules = (await pipelineRules.list()).filter(({ disabledReason }) => disabledReason === null);
  return {
    connections,
    pipelines: all.map(({ id, title, source }) => ({ id, name: title, source })),
    rules: rules.map(({ id, title, source }) => ({ id, name: title, source, faultSlot: ledger.slotOf(id) })),
    grokPatterns: (await grokPatterns.list()).map(({ name, pattern }) => [name, pattern] as const),
    streamNames: named.map(({ id, title }) => [id, title] as const),
    inputNames: (await inputs.list()).map(({ id, title }) => [id, title] as const),
  };
}

/** The default order unless somebody has set another one. */
export async function readProcessorOrder({ clusterSettings }: Repositories): Promise<MessageProcessorOrder> {
  const stored = await clusterSettings.find(MESSAGE_PROCESSORS_KEY);
  if (typeof stored !== 'object' || stored === null) return DEFAULT_PROCESSOR_ORDER;
  const { order, disabled } = stored as Partial<MessageProcessorOrder>;
  return { order: textsOf(order) ?? DEFAULT_PROCESSOR_ORDER.order, disabled: textsOf(disabled) ?? [] };
}

function textsOf(value: unknown): string[] | undefined {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : undefined;
}
