import type { ReactNode } from 'react';
import classes from './empty-state.module.css';

export interface EmptyStateProps {
  readonly icon?: ReactNode;
  /** What there is none of. */
  readonly title: string;
  /** It is all there is on the page. */
  readonly isPage?: boolean;
  /** Why, and what it would be for. */
  readonly children?: ReactNode;
  /** The next step. */
  readonly action?: ReactNode;
}

export function EmptyState({ icon, title, isPage = false, children, action }: EmptyStateProps) {
  return (
    <div className={classes.empty}>
      {icon !== undefined && (
        <div className={classes.icon} aria-hidden="true">
          {icon}
        </div>
      )}
      {isPage ? <h1>{title}</h1> : <h2>{title}</h2>}
      {children !== undefined && <div className={classes.why}>{children}</div>}
      {action !== undefined && <div className={classes.action}>{action}</div>}
    </div>
  );
}
