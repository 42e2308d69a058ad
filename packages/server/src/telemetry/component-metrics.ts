import type { Counter, MetricOptions } from './instruments.ts';

/*
 * The standard counters of a component. Every input, journal, processing step, store and output counts what it
 * received, passed on, dropped (by reason) and failed at, in events and bytes, once per batch. Reasons, error types and
 * stages are closed lists, so the number of series is bounded.
 */

export const COMPONENT_KINDS = [
  'input',
  'journal',
  'processing',
  'storage',
  'output',
  'search',
  'alert',
  'notification',
] as const;
export type ComponentKind = (typeof COMPONENT_KINDS)[number];

export interface ComponentIdentity {
  readonly kind: ComponentKind;
  /** The short id of its type, such as `gelf-tcp`. */
  readonly type: string;
  /** The id of this instance, or the type again if there is only one instance. */
  readonly id: string;
}

export interface ComponentDescription<
  DropReason extends string,
  ErrorType extends string,
  Stage extends string,
> extends ComponentIdentity {
  /** Every reason for dropping an event. All counters exist from the start, at zero. */
  readonly dropReasons: readonly DropReason[];
  readonly errorTypes: readonly ErrorType[];
  readonly stages: readonly Stage[];
}

/** Call once per batch. Nothing here allocates, except the first error of a type and stage. */
export interface ComponentMetrics<DropReason extends string, ErrorType extends string, Stage extends string> {
  received(events: number, bytes: number): void;
  /** The next part has accepted the events and is responsible for them. */
  sent(events: number, bytes: number): void;
  /** The events are lost, deliberately or for lack of space. */
  dropped(reason: DropReason, events: number, bytes: number): void;
  error(type: ErrorType, stage: Stage, count?: number): void;
  /** Removes the counters. For a component that is deleted, not only stopped. */
  remove(): void;
}

export type ComponentEvent = 'received' | 'sent' | 'dropped' | 'errors';

const HELP: Record<ComponentEvent, string> = {
  received: 'What a component received',
  sent: 'What a component passed on',
  dropped: 'What a component dropped, by reason',
  errors: 'Failures of a component, by error type and stage',
};

/** The prefix of the names of a component's counters. */
export function componentPrefix({ kind, type, id }: ComponentIdentity): string {
  return `millrace.component.${kind}.${type}.${id}`;
}

interface Registration {
  counter(name: string, options: MetricOptions): Counter;
  remove(prefix: string): void;
}

export function createComponentMetrics<
  DropReason extends string,
  ErrorType extends string,
  Stage extends string,
>(
  registry: Registration,
  component: ComponentDescription<DropReason, ErrorType, Stage>,
): ComponentMetrics<DropReason, ErrorType, Stage> {
  const prefix = componentPrefix(component);

  function counter(
    event: ComponentEvent,
    path: string,
    unit: string,
    labels: Record<string, string> = {},
  ): Counter {
    return registry.counter(`${prefix}.${path}`, {
      help: HELP[event],
      series: {
        name: `millrace_component_${unit}`,
        labels: {
          component_kind: component.kind,
          component_type: component.type,
          component_id: component.id,
          ...labels,
        },
      },
    });
  }

  const eventsAndBytes = (event: ComponentEvent, path: string, labels?: Record<string, string>) => ({
    events: counter(event, `${path}.events`, `${event}_events`, labels),
    bytes: counter(event, `${path}.bytes`, `${event}_bytes`, labels),
  });

  const received = eventsAndBytes('received', 'received');
  const sent = eventsAndBytes('sent', 'sent');
  const dropped = new Map(
    component.dropReasons.map((reason) => [
      reason,
      eventsAndBytes('dropped', `dropped.${reason}`, { reason }),
    ]),
  );
  const errors = new Map(component.errorTypes.map((type) => [type, new Map<Stage, Counter>()]));

  return {
    received(events, bytes) {
      received.events.increment(events);
      received.bytes.increment(bytes);
    },
    sent(events, bytes) {
      sent.events.increment(events);
      sent.bytes.increment(bytes);
    },
    dropped(reason, events, bytes) {
      const counters = dropped.get(reason);
      if (counters === undefined) throw undeclared(component, 'drop reason', reason);
      counters.events.increment(events);
      counters.bytes.increment(bytes);
    },
    error(type, stage, count = 1) {
      const byStage = errors.get(type);
      if (byStage === undefined) throw undeclared(component, 'error type', type);
      let counted = byStage.get(stage);
      if (counted === undefined) {
        if (!component.stages.includes(stage)) throw undeclared(component, 'stage', stage);
        counted = counter('errors', `errors.${type}.${stage}`, 'errors', { error_type: type, stage });
        byStage.set(stage, counted);
      }
      counted.increment(count);
    },
    remove: () => registry.remove(prefix),
  };
}

/** Only a cast gets here: the compiler refuses undeclared values. */
function undeclared(component: ComponentIdentity, what: string, word: string): Error {
  return new Error(`The ${component.kind} ${component.type} did not declare the ${what} "${word}".`);
}
