import { ActionIcon, Drawer, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBell, IconBellCheck, IconX } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { useCan } from '../../lib/account/index.ts';
import { call } from '../../lib/api/index.ts';
import { countOf } from '../../lib/format/index.ts';
import classes from './notifications.module.css';
import {
  notificationDetails,
  notificationsQuery,
  notificationTitle,
  type SystemNotification,
  useSystemNotifications,
} from './notifications.ts';
import rail from './rail.module.css';

/** At the foot of the rail: how many there are, and a panel with all of them. Hidden from those who may not see them. */
export function NotificationsButton({ isCollapsed }: { readonly isCollapsed: boolean }) {
  const isAllowed = useCan('notifications:read');
  const notifications = useSystemNotifications();
  const [isOpen, { open, close }] = useDisclosure();
  if (!isAllowed) return null;
  const isUrgent = notifications.some(({ severity }) => severity === 'urgent');
  return (
    <>
      <Tooltip label="Notifications" position="right" disabled={!isCollapsed}>
        <button
          type="button"
          className={rail.entry}
          onClick={open}
          aria-label={`Notifications, ${countOf(notifications.length, 'new one')}`}
        >
          <IconBell size={16} aria-hidden="true" />
          <span className={rail.label}>Notifications</span>
          {notifications.length > 0 && (
            <span className={rail.count} data-urgent={isUrgent}>
              {notifications.length}
            </span>
          )}
        </button>
      </Tooltip>
      <NotificationsPanel isOpen={isOpen} onClose={close} notifications={notifications} />
    </>
  );
}

export function NotificationsPanel(props: {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly notifications: readonly SystemNotification[];
}) {
  const { isOpen, onClose, notifications } = props;
  const client = useQueryClient();
  const mayDismiss = useCan('notifications:delete');
  const dismiss = useMutation({
    mutationFn: (notificationType: string) =>
      call('DELETE /system/notifications/{notificationType}', { path: { notificationType } }),
    onSuccess: () => client.invalidateQueries({ queryKey: notificationsQuery.queryKey }),
  });
  return (
    <Drawer opened={isOpen} onClose={onClose} title="Notifications" position="right" size={400}>
      {dismiss.error !== null && <ErrorNotice error={dismiss.error} />}
      {notifications.length === 0 ? (
        <EmptyState icon={<IconBellCheck size={20} />} title="All is well">
          What needs your attention, such as an input that cannot start or a journal that fills up, is shown
          here.
        </EmptyState>
      ) : (
        <ul className={classes.list}>
          {notifications.map((notification) => (
            <li
              key={`${notification.type} ${notification.key ?? ''}`}
              className={classes.item}
              data-severity={notification.severity}
            >
              <NotificationText notification={notification} />
              {mayDismiss && (
                <Tooltip label="Dismiss">
                  <ActionIcon
                    size="sm"
                    aria-label="Dismiss"
                    onClick={() => dismiss.mutate(notification.type)}
                  >
                    <IconX size={16} />
                  </ActionIcon>
                </Tooltip>
              )}
            </li>
          ))}
        </ul>
      )}
    </Drawer>
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
