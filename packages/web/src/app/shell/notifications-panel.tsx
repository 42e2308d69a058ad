import { Drawer, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBell, IconBellCheck } from '@tabler/icons-react';
import { EmptyState } from '../../components/empty-state.tsx';
import { InlineNotice } from '../../components/inline-notice.tsx';
import { NotificationList } from '../../components/notification-list.tsx';
import { useCan } from '../../lib/account/index.ts';
import { countOf } from '../../lib/format/index.ts';
import { type SystemNotification, useSystemNotifications } from '../../lib/notifications/index.ts';
import rail from './rail.module.css';

/** At the foot of the rail: how many there are, and a panel with all of them. Hidden from those who may not see them. */
export function NotificationsButton({ isCollapsed }: { readonly isCollapsed: boolean }) {
  const isAllowed = useCan('notifications:read');
  const notifications = useSystemNotifications();
  const [isOpen, { open, close }] = useDisclosure();
  if (!isAllowed) return null;
  const isUrgent = notifications?.some(({ severity }) => severity === 'urgent');
  return (
    <>
      <Tooltip label="Notifications" position="right" disabled={!isCollapsed}>
        <button
          type="button"
          className={rail.entry}
          onClick={open}
          aria-label={
            notifications ? `Notifications, ${countOf(notifications.length, 'new one')}` : 'Notifications'
          }
        >
          <IconBell size={16} aria-hidden="true" />
          <span className={rail.label}>Notifications</span>
          {notifications !== undefined && notifications.length > 0 && (
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
  /** Undefined until they are known. */
  readonly notifications: readonly SystemNotification[] | undefined;
}) {
  const { isOpen, onClose, notifications } = props;
  return (
    <Drawer opened={isOpen} onClose={onClose} title="Notifications" position="right" size={400}>
      {notifications === undefined && (
        <InlineNotice kind="info">The server has not said yet what needs your attention.</InlineNotice>
      )}
      {notifications?.length === 0 && (
        <EmptyState icon={<IconBellCheck size={20} />} title="All is well">
          What needs your attention, such as an input that cannot start or a journal that fills up, is shown
          here.
        </EmptyState>
      )}
      {notifications !== undefined && notifications.length > 0 && (
        <NotificationList notifications={notifications} onLeave={onClose} />
      )}
    </Drawer>
  );
}
