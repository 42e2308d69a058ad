import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useCan } from '../lib/account/index.ts';
import {
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
          <li
            key={`${notification.type} ${notification.key ?? ''} ${notification.node_id}`}
            className={classes.item}
            data-severity={notification.severity}
          >
            <NotificationText notification={notification} />
            <span className={classes.actions}>
              <ToPage notification={notification} onLeave={onLeave} />
              {mayDismiss && (
                <Tooltip label="Dismiss">
                  <ActionIcon
                    size="sm"
                    aria-label={`Dismiss: ${notificationTitle(notification)}`}
                    onClick={() => dismiss.mutate(notification.type)}
                  >
                    <IconX size={16} />
                  </ActionIcon>
                </Tooltip>
              )}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

function ToPage(props: {
  readonly notification: SystemNotification;
  readonly onLeave?: (() => void) | undefined;
}) {
  const page = pageOfNotification(props.notification);
  if (page === undefined) return null;
  return (
    <Button size="xs" renderRoot={(root) => <Link to={page} {...root} onClick={() => props.onLeave?.()} />}>
      Look at it
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
