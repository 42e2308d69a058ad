import type { StateTone } from '../lib/states/index.ts';
import classes from './state-badge.module.css';

export type { StateTone } from '../lib/states/index.ts';

/** A state in one word. The sign before it has a shape of its own for each tone: colour is never alone. */
export function StateBadge({ tone, children }: { readonly tone: StateTone; readonly children: string }) {
  return (
    <span className={classes.badge} data-tone={tone}>
      <span className={classes.sign} aria-hidden="true" />
      {children}
    </span>
  );
}
