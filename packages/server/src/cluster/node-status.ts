import type { LoadBalancerStatus, NodeLifecycle } from '@millrace/contract';
import type { Clock } from '#core/index.ts';

/** The phase of a node's life. Pausing, throttling and overriding come on top of it. */
type Phase = 'uninitialized' | 'starting' | 'running' | 'halting' | 'failed';

export type ResumeResult = 'resumed' | 'locked';

export type OverrideResult = 'overridden' | 'stopping';

export interface NodeStatusView {
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly lifecycle: NodeLifecycle;
  readonly loadBalancerStatus: LoadBalancerStatus;
  /** Whether messages are taken out of the journal and processed. */
  readonly isProcessing: boolean;
  /** The node itself paused processing. The pause must be unlocked before processing can resume. */
  readonly isPauseLocked: boolean;
}

/**
 * The state of this node, and the status it reports to load balancers.
 *
 * Contract: all calls are synchronous and may come in any order. Listeners run after each call that changed the view,
 * with the new and the previous view, in the order they were added.
 */
export interface NodeStatus {
  view(): NodeStatusView;
  starting(): void;
  running(): void;
  /** From now on load balancers see `dead`, even if the status was overridden. Only `failed` can follow. */
  halting(): void;
  failed(): void;
  pauseProcessing(options?: { readonly locked?: boolean }): void;
  resumeProcessing(): ResumeResult;
  unlockPause(): void;
  /** Lasts until an operator changes the node's state or its phase changes; throttling does not end it. */
  overrideLoadBalancer(status: LoadBalancerStatus): OverrideResult;
  clearOverride(): void;
  /** How full the fullest journal partition is, in percent. May be called at any time. */
  setJournalUtilization(percent: number): void;
  onChange(listener: NodeStatusListener): () => void;
}

export type NodeStatusListener = (now: NodeStatusView, before: NodeStatusView) => void;

export interface NodeStatusSettings {
  /** The node is throttled while its journal is at least this full, in percent. */
  readonly throttleThresholdPercentage: number;
}

const PHASE_TO_LOAD_BALANCER: Record<Phase, LoadBalancerStatus> = {
  uninitialized: 'dead',
  starting: 'dead',
  running: 'alive',
  halting: 'dead',
  failed: 'dead',
};

interface State {
  readonly phase: Phase;
  readonly paused: boolean;
  readonly pauseLocked: boolean;
  readonly throttled: boolean;
  readonly override: LoadBalancerStatus | undefined;
}

export function createNodeStatus(deps: { readonly clock: Clock }, settings: NodeStatusSettings): NodeStatus {
  const startedAt = deps.clock.now();
  const listeners = new Set<NodeStatusListener>();
  let state: State = {
    phase: 'uninitialized',
    paused: false,
    pauseLocked: false,
    throttled: false,
    override: undefined,
  };
  let view = viewOf(state, startedAt);

  function change(next: Partial<State>): void {
    state = { ...state, ...next };
    const before = view;
    const now = viewOf(state, startedAt);
    if (isSameView(now, before)) return;
    view = now;
    for (const listener of [...listeners]) listener(now, before);
  }

  const isStopping = (): boolean => state.phase === 'halting' || state.phase === 'failed';

  function enter(phase: Phase): void {
    if (state.phase === 'failed' || (state.phase === 'halting' && phase !== 'failed')) return;
    if (state.phase !== phase) change({ phase, override: undefined });
  }

  return {
    view: () => view,
    starting: () => enter('starting'),
    running: () => enter('running'),
    halting: () => enter('halting'),
    failed: () => enter('failed'),
    pauseProcessing: ({ locked = false } = {}) =>
      change({ paused: true, pauseLocked: state.pauseLocked || locked, override: undefined }),
    resumeProcessing() {
      if (state.pauseLocked) return 'locked';
      change({ paused: false, override: undefined });
      return 'resumed';
    },
    unlockPause: () => change({ pauseLocked: false }),
    overrideLoadBalancer(status) {
      if (isStopping()) return 'stopping';
      change({ override: status });
      return 'overridden';
    },
    clearOverride: () => change({ override: undefined }),
    setJournalUtilization: (percent) =>
      change({ throttled: percent >= settings.throttleThresholdPercentage }),
    onChange(listener) {
      // Wrapped, so that the same function can be added twice and removed once.
      const entry: NodeStatusListener = (now, before) => listener(now, before);
      listeners.add(entry);
      return () => void listeners.delete(entry);
    },
  };
}

function viewOf(state: State, startedAt: number): NodeStatusView {
  return {
    startedAt,
    lifecycle: lifecycleOf(state),
    loadBalancerStatus: loadBalancerStatusOf(state),
    isProcessing: state.phase === 'running' && !state.paused,
    isPauseLocked: state.pauseLocked,
  };
}

/** `throttled` wins over `paused`: a paused node whose journal is full must not receive more messages. */
function lifecycleOf(state: State): NodeLifecycle {
  if (state.override !== undefined) return `override lb:${state.override}`;
  if (state.phase !== 'running') return state.phase;
  if (state.throttled) return 'throttled';
  return state.paused ? 'paused' : 'running';
}

function loadBalancerStatusOf(state: State): LoadBalancerStatus {
  if (state.override !== undefined) return state.override;
  if (state.phase === 'running' && state.throttled) return 'throttled';
  return PHASE_TO_LOAD_BALANCER[state.phase];
}

function isSameView(a: NodeStatusView, b: NodeStatusView): boolean {
  return (
    a.lifecycle === b.lifecycle &&
    a.loadBalancerStatus === b.loadBalancerStatus &&
    a.isProcessing === b.isProcessing &&
    a.isPauseLocked === b.isPauseLocked
  );
}
