import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { useCan } from '../lib/account/index.ts';
import {
  adviceFor,
  notificationDetails,
  notificationTitle,
  pageOfNotification,
  type SystemNotification,
  useDismissNotification,
} from '../lib/notifications/index.ts';
import { ErrorNotice } from './error-notice.tsx';
import classes from './notification-list.module.css';
import { Timestamp } from './timestamp.tsx';

export interface NotificationListProps {
  readonly notifications: readonly SystemNotification[];
  /** Somebody follows a link of one. */
  readonly onLeave?: () => void;
}

/** What needs the attention of an operator: why, where to do something about it, and the way to be rid of it. */
export function NotificationList({ notifications, onLeave }: NotificationListProps) {
  const mayDismiss = useCan('notifications:delete');
  const dismiss = useDismissNotification();
  return (
    <>
      {dismiss.error !== null && <ErrorNotice error={dismiss.error} />}
      <ul className={classes.list}>
        {notifications.map((notification) => (
          <NotificationItem
            key={`${notification.type} ${notification.key ?? ''} ${notification.node_id}`}
            notification={notification}
            onLeave={onLeave}
            onDismiss={mayDismiss ? () => dismiss.mutate(notification.type) : undefined}
          />
        ))}
      </ul>
    </>
  );
}

interface NotificationItemProps {
  readonly notification: SystemNotification;
  readonly onLeave: (() => void) | undefined;
  /** Nothing for those who may not. */
  readonly onDismiss: (() => void) | undefined;
}

function NotificationItem({ notification, onLeave, onDismiss }: NotificationItemProps) {
  const [isOpen, setOpen] = useState(false);
  const adviceId = useId();
  return (
    <li className={classes.item} data-severity={notification.severity}>
      <NotificationText notification={notification} />
      <span className={classes.actions}>
        <Button
          size="xs"
          aria-expanded={isOpen}
          aria-controls={adviceId}
          onClick={() => setOpen((wasOpen) => !wasOpen)}
        >
          What to do
        </Button>
        {onDismiss !== undefined && (
          <Tooltip label="Dismiss">
            <ActionIcon
              size="sm"
              aria-label={`Dismiss: ${notificationTitle(notification)}`}
              onClick={onDismiss}
            >
              <IconX size={16} />
            </ActionIcon>
          </Tooltip>
        )}
      </span>
      <div id={adviceId} className={classes.advice} hidden={!isOpen}>
        <p>{adviceFor(notification)}</p>
        <ToPage notification={notification} onLeave={onLeave} />
      </div>
    </li>
  );
}

function ToPage({ notification, onLeave }: Pick<NotificationItemProps, 'notification' | 'onLeave'>) {
  const page = pageOfNotification(notification);
  if (page === undefined) return null;
  return (
    <Button size="xs" renderRoot={(root) => <Link to={page} {...root} onClick={() => onLeave?.()} />}>
      Go there
    </Button>
  );
}

function NotificationText({ notification }: { readonly notification: SystemNotification }) {
  return (
    <div className={classes.text}>
      <strong>
        {notification.severity === 'urgent' && <span className={classes.urgent}>Urgent: </span>}
        {notificationTitle(notification)}
      </strong>
      <dl className={classes.details}>
        {notificationDetails(notification).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <span className={classes.time}>
        <Timestamp value={notification.timestamp} show="age" />
      </span>
    </div>
  );
}
