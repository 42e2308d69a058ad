import { expect, test } from 'vitest';
import { nodeBadges } from './node-state.ts';

test.each([
  [
    { lifecycle: 'running', lb_status: 'alive', is_processing: true },
    { lifecycle: { tone: 'ok', word: 'running' }, balancer: { tone: 'ok', word: 'alive' } },
  ],
  [
    { lifecycle: 'paused', lb_status: 'alive', is_processing: false },
    { lifecycle: { tone: 'warn', word: 'paused' }, balancer: { tone: 'ok', word: 'alive' } },
  ],
  [
    { lifecycle: 'override lb:dead', lb_status: 'dead', is_processing: true },
    { lifecycle: { tone: 'ok', word: 'running' }, balancer: { tone: 'danger', word: 'dead, by hand' } },
  ],
  [
    { lifecycle: 'override lb:alive', lb_status: 'alive', is_processing: false },
    { lifecycle: { tone: 'warn', word: 'paused' }, balancer: { tone: 'ok', word: 'alive, by hand' } },
  ],
] as const)('%o', (overview, badges) => {
  expect(nodeBadges(overview)).toMatchObject(badges);
});
