import { Menu } from '@mantine/core';
import {
  IconApi,
  IconBook,
  IconKeyboard,
  IconLogout,
  IconUserCircle,
  IconUserCog,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { KeyHint } from '../../components/key-hint.tsx';
import { type Theme, useMe, useTheme } from '../../lib/account/index.ts';
import { useLogOut } from './log-out.ts';
import rail from './rail.module.css';
import { openKeysOverlay } from './requested-parts.ts';
import { THEMES } from './themes.ts';

export function UserMenu({ isCollapsed }: { readonly isCollapsed: boolean }) {
  const me = useMe();
  return (
    <Menu position="right-end" width={220}>
      <Menu.Target>
        <button type="button" className={rail.entry} aria-label={`Account of ${me.username}`}>
          <IconUserCircle size={16} aria-hidden="true" />
          {!isCollapsed && <span className={rail.label}>{me.username}</span>}
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <UserMenuItems />
      </Menu.Dropdown>
    </Menu>
  );
}

/** The same on a phone, in another place. */
export function UserMenuItems() {
  const me = useMe();
  const logOut = useLogOut();
  const [theme, setTheme] = useTheme();
  return (
    <>
      <Menu.Label>{me.full_name === '' ? me.username : me.full_name}</Menu.Label>
      <Menu.Item leftSection={<IconUserCog size={16} />} component={Link} to="/me">
        Your account
      </Menu.Item>
      <Menu.Item
        leftSection={<IconKeyboard size={16} />}
        rightSection={<KeyHint keys="?" />}
        onClick={openKeysOverlay}
      >
        Keys
      </Menu.Item>
      <Menu.Item leftSection={<IconBook size={16} />} component="a" href="/docs/index.html" target="_blank">
        Documentation
      </Menu.Item>
      <Menu.Item leftSection={<IconApi size={16} />} component="a" href="/api/api-browser/" target="_blank">
        API browser
      </Menu.Item>
      <Menu.Divider />
      <Menu.Label>Theme</Menu.Label>
      <Menu.RadioGroup value={theme} onChange={(value) => setTheme(value as Theme)}>
        {THEMES.map(({ value, label, icon: ThemeIcon }) => (
          <Menu.RadioItem key={value} value={value} rightSection={<ThemeIcon size={16} />}>
            {label}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
      <Menu.Divider />
      <Menu.Item leftSection={<IconLogout size={16} />} onClick={logOut}>
        Log out
      </Menu.Item>
    </>
  );
}
