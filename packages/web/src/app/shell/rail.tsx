import { ActionIcon, Tooltip } from '@mantine/core';
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand, IconSearch } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { KeyHint } from '../../components/key-hint.tsx';
import { usePermissions, usePreferences } from '../../lib/account/index.ts';
import { type NavigationEntry, reachableEntries } from '../navigation.ts';
import { NotificationsButton } from './notifications-panel.tsx';
import classes from './rail.module.css';
import { openPalette } from './requested-parts.ts';
import { UserMenu } from './user-menu.tsx';

export function Rail() {
  const [{ railCollapsed }, changePreferences] = usePreferences();
  const entries = reachableEntries(usePermissions());
  const ToggleIcon = railCollapsed ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse;
  const toggleLabel = railCollapsed ? 'Show names' : 'Hide names';
  return (
    <nav className={classes.rail} data-collapsed={railCollapsed} aria-label="Pages">
      <div className={classes.top}>
        <Link to="/" className={classes.brand} aria-label="Millrace, start page">
          <img src="/favicon.svg" alt="" width="24" height="24" />
          <span className={classes.name}>Millrace</span>
        </Link>
        <Tooltip label={<WithKey text={toggleLabel} keys="\" />} position="right">
          <ActionIcon
            size="sm"
            className={classes.toggle}
            aria-label={toggleLabel}
            onClick={() => changePreferences({ railCollapsed: !railCollapsed })}
          >
            <ToggleIcon size={16} />
          </ActionIcon>
        </Tooltip>
      </div>
      <RailButton label="Go to or do" keys="mod+k" isCollapsed={railCollapsed} onClick={openPalette} />
      <ul className={classes.entries}>
        {entries.map((entry, index) => (
          <Fragment key={entry.to}>
            {index > 0 && entries[index - 1]?.group !== entry.group && (
              <li className={classes.line} aria-hidden="true" />
            )}
            <li>
              <RailLink entry={entry} isCollapsed={railCollapsed} />
            </li>
          </Fragment>
        ))}
      </ul>
      <div className={classes.foot}>
        <NotificationsButton isCollapsed={railCollapsed} />
        <UserMenu isCollapsed={railCollapsed} />
      </div>
    </nav>
  );
}

function RailLink({
  entry,
  isCollapsed,
}: {
  readonly entry: NavigationEntry;
  readonly isCollapsed: boolean;
}) {
  const { to, label, icon: EntryIcon, goKey } = entry;
  return (
    <Tooltip
      label={<WithKey text={isCollapsed ? label : 'Go there with'} keys={`g ${goKey}`} />}
      position="right"
    >
      <Link
        to={to}
        className={classes.entry}
        activeProps={{ 'data-active': true }}
        // The name beside the icon is hidden while the rail is narrow.
        aria-label={label}
      >
        <EntryIcon size={16} aria-hidden="true" />
        <span className={classes.label}>{label}</span>
      </Link>
    </Tooltip>
  );
}

function RailButton(props: {
  readonly label: string;
  readonly keys: string;
  readonly isCollapsed: boolean;
  readonly onClick: () => void;
}) {
  const { label, keys, isCollapsed, onClick } = props;
  return (
    <Tooltip label={<WithKey text={label} keys={keys} />} position="right" disabled={!isCollapsed}>
      <button type="button" className={classes.command} onClick={onClick} aria-label={label}>
        <IconSearch size={16} aria-hidden="true" />
        <span className={classes.label}>{label}</span>
        <span className={classes.hint}>
          <KeyHint keys={keys} />
        </span>
      </button>
    </Tooltip>
  );
}

export function WithKey({ text, keys }: { readonly text: string; readonly keys: string }) {
  return (
    <span className={classes.withKey}>
      {text} <KeyHint keys={keys} />
    </span>
  );
}
