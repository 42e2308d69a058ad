import { LOAD_BALANCER_STATUSES, type NodeLifecycle } from '@millrace/contract';
import { describe, expect, test, vi } from 'vitest';
import { ManualClock } from '#testing/manual-clock.ts';
import { createNodeStatus, type NodeStatus, type NodeStatusView } from './node-status.ts';

function create(): NodeStatus {
  return createNodeStatus(
    { clock: new ManualClock(Date.UTC(2026, 2, 4)) },
    { throttleThresholdPercentage: 90 },
  );
}

/** The steps in the table below. */
const STEPS: Record<string, (status: NodeStatus) => void> = {
  starting: (status) => status.starting(),
  running: (status) => status.running(),
  halting: (status) => status.halting(),
  failed: (status) => status.failed(),
  pause: (status) => status.pauseProcessing(),
  lock: (status) => status.pauseProcessing({ locked: true }),
  unlock: (status) => status.unlockPause(),
  resume: (status) => void status.resumeProcessing(),
  'lb:alive': (status) => void status.overrideLoadBalancer('alive'),
  'lb:dead': (status) => void status.overrideLoadBalancer('dead'),
  'lb:throttled': (status) => void status.overrideLoadBalancer('throttled'),
  'lb:clear': (status) => status.clearOverride(),
  '89%': (status) => status.setJournalUtilization(89.9),
  '90%': (status) => status.setJournalUtilization(90),
};

const TRANSITIONS: [steps: string, lifecycle: NodeLifecycle, lb: string, processing: boolean][] = [
  ['', 'uninitialized', 'dead', false],
  ['starting', 'starting', 'dead', false],
  ['starting running', 'running', 'alive', true],
  ['running halting', 'halting', 'dead', false],
  ['running failed', 'failed', 'dead', false],
  ['starting failed', 'failed', 'dead', false],
  ['halting failed', 'failed', 'dead', false],
  // stopping is final
  ['halting running', 'halting', 'dead', false],
  ['failed running', 'failed', 'dead', false],
  ['failed halting', 'failed', 'dead', false],
  ['running halting 90%', 'halting', 'dead', false],
  ['running halting pause', 'halting', 'dead', false],
  ['running halting lb:alive', 'halting', 'dead', false],
  // pause
  ['running pause', 'paused', 'alive', false],
  ['running pause pause', 'paused', 'alive', false],
  ['running pause resume', 'running', 'alive', true],
  ['running lock', 'paused', 'alive', false],
  ['running lock resume', 'paused', 'alive', false],
  ['running lock unlock', 'paused', 'alive', false],
  ['running lock unlock resume', 'running', 'alive', true],
  ['running lock pause resume', 'paused', 'alive', false],
  ['pause starting', 'starting', 'dead', false],
  ['pause starting running', 'paused', 'alive', false],
  // throttled
  ['running 89%', 'running', 'alive', true],
  ['running 90%', 'throttled', 'throttled', true],
  ['running 90% 89%', 'running', 'alive', true],
  ['running pause 90%', 'throttled', 'throttled', false],
  ['running pause 90% 89%', 'paused', 'alive', false],
  ['starting 90%', 'starting', 'dead', false],
  ['starting 90% running', 'throttled', 'throttled', true],
  // override
  ['running lb:dead', 'override lb:dead', 'dead', true],
  ['running lb:throttled', 'override lb:throttled', 'throttled', true],
  ['running lb:dead lb:alive', 'override lb:alive', 'alive', true],
  ['starting lb:alive', 'override lb:alive', 'alive', false],
  ['starting lb:alive running', 'running', 'alive', true],
  ['running lb:dead 90%', 'override lb:dead', 'dead', true],
  ['running lb:dead 90% 89%', 'override lb:dead', 'dead', true],
  ['running lb:dead running', 'override lb:dead', 'dead', true],
  ['running lb:dead pause', 'paused', 'alive', false],
  ['running pause lb:dead resume', 'running', 'alive', true],
  ['running 90% lb:alive lb:clear', 'throttled', 'throttled', true],
  ['running lb:alive halting', 'halting', 'dead', false],
  ['running lb:alive failed', 'failed', 'dead', false],
];

describe('transitions', () => {
  test.each(TRANSITIONS)('%s → %s, %s', (steps, lifecycle, loadBalancerStatus, isProcessing) => {
    const status = create();
    for (const step of steps.split(' ').filter((word) => word !== '')) STEPS[step]!(status);
    expect(status.view()).toMatchObject({ lifecycle, loadBalancerStatus, isProcessing });
  });

  test('the start time is the time of creation and never changes', () => {
    const clock = new ManualClock(5000);
    const status = createNodeStatus({ clock }, { throttleThresholdPercentage: 90 });
    clock.advance(1000);
    status.running();
    expect(status.view().startedAt).toBe(5000);
  });

  test('resume and override return whether they took effect', () => {
    const status = create();
    status.running();
    status.pauseProcessing({ locked: true });
    expect(status.resumeProcessing()).toBe('locked');
    expect(status.view().isPauseLocked).toBe(true);
    status.unlockPause();
    expect(status.resumeProcessing()).toBe('resumed');
    for (const word of LOAD_BALANCER_STATUSES) expect(status.overrideLoadBalancer(word)).toBe('overridden');
    status.halting();
    expect(status.overrideLoadBalancer('alive')).toBe('stopping');
  });
});

describe('listeners', () => {
  test('are called for changes only, with the previous view', () => {
    const status = create();
    const seen: string[] = [];
    status.onChange((now, before) => seen.push(`${before.lifecycle}>${now.lifecycle}`));
    status.running();
    status.running();
    status.setJournalUtilization(10);
    status.setJournalUtilization(95);
    status.setJournalUtilization(96);
    status.setJournalUtilization(10);
    expect(seen).toEqual(['uninitialized>running', 'running>throttled', 'throttled>running']);
  });

  test('can be removed, even while being called, and the same function can be added twice', () => {
    const status = create();
    const listener = vi.fn<(now: NodeStatusView, before: NodeStatusView) => void>();
    const removeFirst = status.onChange(listener);
    const removeSecond = status.onChange(() => {
      removeFirst();
      removeSecond();
    });
    status.onChange(listener);
    status.running();
    expect(listener).toHaveBeenCalledTimes(2);
    status.halting();
    expect(listener).toHaveBeenCalledTimes(3);
  });
});
