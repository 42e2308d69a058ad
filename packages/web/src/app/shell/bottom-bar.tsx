import { Indicator, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBell, IconCommand, IconDots } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useCan, usePermissions } from '../../lib/account/index.ts';
import { useSystemNotifications } from '../../lib/notifications/index.ts';
import { reachableEntries } from '../navigation.ts';
import classes from './bottom-bar.module.css';
import { NotificationsPanel } from './notifications-panel.tsx';
import { openPalette } from './requested-parts.ts';
import { UserMenuItems } from './user-menu.tsx';

/** So many pages have a place of their own at the bottom of a phone; the others are behind "More". */
const PLACES = 4;

/** The rail of a phone. */
export function BottomBar() {
  const entries = reachableEntries(usePermissions());
  const notifications = useSystemNotifications();
  const maySeeNotifications = useCan('notifications:read');
  const [isPanelOpen, panel] = useDisclosure();
  return (
    <nav className={classes.bar} aria-label="Pages">
      {entries.slice(0, PLACES).map(({ to, label, icon: EntryIcon }) => (
        <Link key={to} to={to} className={classes.entry} activeProps={{ 'data-active': true }}>
          <EntryIcon size={20} aria-hidden="true" />
          {label}
        </Link>
      ))}
      <Menu position="top-end" width={240}>
        <Menu.Target>
          <button type="button" className={classes.entry}>
            <Indicator disabled={!notifications?.length} color="danger" size={8}>
              <IconDots size={20} aria-hidden="true" />
            </Indicator>
            More
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          {entries.slice(PLACES).map(({ to, label, icon: EntryIcon }) => (
            <Menu.Item key={to} component={Link} to={to} leftSection={<EntryIcon size={16} />}>
              {label}
            </Menu.Item>
          ))}
          <Menu.Item leftSection={<IconCommand size={16} />} onClick={openPalette}>
            Go to or do
          </Menu.Item>
          {maySeeNotifications && (
            <Menu.Item leftSection={<IconBell size={16} />} onClick={panel.open}>
              Notifications{notifications && ` (${notifications.length})`}
            </Menu.Item>
          )}
          <Menu.Divider />
          <UserMenuItems />
        </Menu.Dropdown>
      </Menu>
      <NotificationsPanel isOpen={isPanelOpen} onClose={panel.close} notifications={notifications} />
    </nav>
  );
}
