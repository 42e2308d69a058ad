import type { LoadBalancerStatus, NodeLifecycle } from '@millrace/contract';
import type { StateTone } from '../../lib/states/index.ts';

const LIFECYCLE_TONES: Readonly<Record<NodeLifecycle, StateTone>> = {
  uninitialized: 'dim',
  starting: 'info',
  running: 'ok',
  paused: 'warn',
  throttled: 'warn',
  halting: 'warn',
  failed: 'danger',
  'override lb:alive': 'info',
  'override lb:dead': 'info',
  'override lb:throttled': 'info',
};

const BALANCER_TONES: Readonly<Record<LoadBalancerStatus, StateTone>> = {
  alive: 'ok',
  throttled: 'warn',
  dead: 'danger',
};

export interface NodeBadges {
  readonly lifecycle: { readonly tone: StateTone; readonly word: string };
  readonly balancer: { readonly tone: StateTone; readonly word: string };
  readonly isOverridden: boolean;
}

/** An override hides the state below it; whether messages are processed is known all the same. */
export function nodeBadges(overview: {
  readonly lifecycle: NodeLifecycle;
  readonly lb_status: LoadBalancerStatus;
  readonly is_processing: boolean;
}): NodeBadges {
  const { lifecycle, lb_status, is_processing } = overview;
  const isOverridden = lifecycle.startsWith('override');
  const shown = isOverridden ? (is_processing ? 'running' : 'paused') : lifecycle;
  return {
    lifecycle: { tone: LIFECYCLE_TONES[shown], word: shown },
    balancer: {
      tone: BALANCER_TONES[lb_status],
      word: isOverridden ? `${lb_status}, by hand` : lb_status,
    },
    isOverridden,
  };
}
