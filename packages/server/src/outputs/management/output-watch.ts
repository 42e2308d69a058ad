import type { OutputStateView } from '@millrace/contract';
import type { Clock } from '#core/index.ts';
import type { Notifications } from '#system/service.ts';

/** Tells operators when an output cannot send for a while, or drops messages. */
export interface OutputWatch {
  /** Looks at the states of all outputs. Called every second. */
  look(states: readonly OutputStateView[]): void;
  removed(outputId: string): void;
}

/** A destination that restarts is away for some seconds: that is nobody's problem. */
const PATIENCE_MS = 10_000;

export function createOutputWatch(
  deps: { readonly notifications: Pick<Notifications, 'publish' | 'fix'>; readonly clock: Clock },
  config: { readonly nodeId: string },
): OutputWatch {
  const failingSince = new Map<string, number>();
  const told = new Map<string, string>();
  const dropped = new Map<string, number>();
  // The node is part of the key: a failure on one node must not hide that of another.
  const keyOf = (id: string): string => `${id}:${config.nodeId}`;

  function tellFailing({ id, title, detailed_message: reason, state }: OutputStateView): void {
    const since = failingSince.getOrInsertComputed(id, () => deps.clock.now());
    if (state === 'FAILED' && deps.clock.now() - since < PATIENCE_MS) return;
    const text = String(reason).replace(/; next attempt in .*$/, '');
    if (told.get(id) === text) return;
    told.set(id, text);
    void deps.notifications.publish({
      type: 'output_failing',
      key: keyOf(id),
      severity: 'urgent',
      details: { output_id: id, output_title: title, reason: text },
    });
  }

  function tellDropped({ id, title, dropped_messages: count }: OutputStateView): void {
    const before = dropped.get(id) ?? 0;
    dropped.set(id, count);
    if (count <= before) return;
    void deps.notifications.publish({
      type: 'output_dropped_messages',
      key: keyOf(id),
      severity: 'urgent',
      details: { output_id: id, output_title: title, dropped_messages: count },
    });
  }

  function works(id: string): void {
    const isFirst = !failingSince.has(id) && !told.has(id) && !dropped.has(id);
    failingSince.delete(id);
    // At first too: a former run of this node may have told.
    if (told.delete(id) || isFirst) void deps.notifications.fix('output_failing', keyOf(id));
  }

  return {
    look(states) {
      for (const state of states) {
        if (state.state === 'FAILED' || state.state === 'INVALID_CONFIGURATION') tellFailing(state);
        else if (state.state !== 'STARTING') works(state.id);
        tellDropped(state);
      }
    },
    removed(id) {
      failingSince.delete(id);
      told.delete(id);
      dropped.delete(id);
      void deps.notifications.fix('output_failing', keyOf(id));
      void deps.notifications.fix('output_dropped_messages', keyOf(id));
    },
  };
}
