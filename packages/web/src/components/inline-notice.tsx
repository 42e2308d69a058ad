import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './inline-notice.module.css';

export type NoticeKind = 'info' | 'ok' | 'warn' | 'danger';

const ICONS = { info: IconInfoCircle, ok: IconCircleCheck, warn: IconAlertTriangle, danger: IconCircleX };

export interface InlineNoticeProps {
  readonly kind: NoticeKind;
  readonly title?: string;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
}

/** Says something about the part of the page it stands in. Errors are spoken at once, the rest when there is time. */
export function InlineNotice({ kind, title, children, actions }: InlineNoticeProps) {
  const Icon = ICONS[kind];
  return (
    <div className={classes.notice} data-kind={kind} role={kind === 'danger' ? 'alert' : 'status'}>
      <Icon className={classes.icon} size={16} aria-hidden="true" />
      <div className={classes.text}>
        {title !== undefined && <strong>{title}</strong>}
        {children !== undefined && <div>{children}</div>}
      </div>
      {actions !== undefined && <div className={classes.actions}>{actions}</div>}
    </div>
  );
}
