import type { MessageProcessorsRequest, MessageProcessorsView } from '@millrace/contract';
import { type AuditLog, type Caller, InvalidError } from '#core/index.ts';
import type { Metadata } from '#metadata/index.ts';
import { PIPELINES_PROCESSOR, STREAM_RULES_PROCESSOR } from '#streams/index.ts';
import { MESSAGE_PROCESSORS_KEY, readProcessorOrder } from '#streams/service.ts';

/** The order in which message processors run, the same for all nodes. */
export interface ProcessorOrder {
  get(): Promise<MessageProcessorsView>;
  set(caller: Caller, request: MessageProcessorsRequest): Promise<MessageProcessorsView>;
  /** Back to the default order. */
  reset(caller: Caller): Promise<void>;
}

/** Clients know the class names of Graylog; the first one is the one that is shown. */
const PROCESSORS = [
  {
    id: STREAM_RULES_PROCESSOR,
    name: 'Stream Rule Processor',
    classNames: [
      'org.graylog2.messageprocessors.StreamMatcherFilterProcessor',
      'org.graylog2.messageprocessors.MessageFilterChainProcessor',
    ],
  },
  {
    id: PIPELINES_PROCESSOR,
    name: 'Pipeline Processor',
    classNames: ['org.graylog.plugins.pipelineprocessor.processors.PipelineInterpreter'],
  },
] as const;

export interface ProcessorOrderDeps {
  readonly metadata: Metadata;
  readonly audit: AuditLog;
  /** Tells the workers. */
  readonly changed: () => Promise<void>;
}

export function createProcessorOrder({ metadata, audit, changed }: ProcessorOrderDeps): ProcessorOrder {
  const { clusterSettings } = metadata.repositories;

  async function get(): Promise<MessageProcessorsView> {
    const { order, disabled } = await readProcessorOrder(metadata.repositories);
    const known = [...order, ...PROCESSORS.map(({ id }) => id)];
    const processors = [...new Set(known)].flatMap((id) => PROCESSORS.find((each) => each.id === id) ?? []);
    return {
      processor_order: processors.map(({ name, classNames: [className] }) => ({
        name,
        class_name: className,
      })),
      disabled_processors: processors
        .filter(({ id }) => disabled.includes(id))
        .map(({ classNames: [className] }) => className),
    };
  }

  async function change({ principal, remoteAddress }: Caller, store: () => Promise<unknown>) {
    const before = await get();
    await store();
    await changed();
    const after = await get();
    await audit.record({
      actor: principal.username,
      address: remoteAddress,
      action: 'message_processors.update',
      objectType: 'message_processors',
      objectId: MESSAGE_PROCESSORS_KEY,
      before,
      after,
    });
    return after;
  }

  return {
    get,
    async set(caller, request) {
      const order = [...new Set(request.processor_order.map(({ class_name }) => processorOf(class_name)))];
      const disabled = [...new Set(request.disabled_processors.map(processorOf))];
      return change(caller, () => clusterSettings.set(MESSAGE_PROCESSORS_KEY, { order, disabled }));
    },
    async reset(caller) {
      await change(caller, () => clusterSettings.remove(MESSAGE_PROCESSORS_KEY));
    },
  };
}

function processorOf(className: string): string {
  const found = PROCESSORS.find(({ classNames }) => classNames.some((each) => each === className));
  if (found !== undefined) return found.id;
  const known = PROCESSORS.map(({ classNames: [first] }) => first).join(', ');
  throw new InvalidError(`There is no message processor "${className}"; there are ${known}.`);
}
