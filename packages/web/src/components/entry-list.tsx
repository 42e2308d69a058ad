import type { ReactNode } from 'react';
import classes from './entry-list.module.css';

/** Things with more to say than the row of a table has room for. */
export function EntryList({ label, children }: { readonly label?: string; readonly children: ReactNode }) {
  return (
    <ul className={classes.list} aria-label={label}>
      {children}
    </ul>
  );
}

export interface EntryProps {
  /** How it is: a badge. */
  readonly state: ReactNode;
  readonly children: ReactNode;
  /** A small picture beside the text. */
  readonly figure?: ReactNode;
  /** Buttons at the end. */
  readonly actions?: ReactNode;
}

export function Entry({ state, children, figure, actions }: EntryProps) {
  return (
    <li className={classes.row} data-figure={figure !== undefined}>
      <div>{state}</div>
      <div className={classes.main}>{children}</div>
      {figure !== undefined && <div>{figure}</div>}
      <div className={classes.actions}>{actions}</div>
    </li>
  );
}
