import { Menu } from '@mantine/core';
import { IconBell, IconGitFork } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { missingPermission } from '../../components/disabled.tsx';
import { mayReachAny, useCan, usePermissions } from '../../lib/account/index.ts';
import { printTimeRange } from '../../lib/time/index.ts';
import { listParam } from '../../lib/url/index.ts';
import type { SearchState } from './use-search.ts';

const LABEL = 'Make a stream of it';

/** Leads to a new stream whose rules say what the query says. The time is fixed, so that both can be compared. */
export function MakeStreamItem({ search }: { readonly search: SearchState }) {
  const { values, run } = search;
  const mayCreate = useCan('streams:create');
  const source = {
    q: values.q,
    ...(values.s.length === 0 ? {} : { s: listParam().print(values.s) }),
    t: printTimeRange(run === undefined ? values.t : { type: 'absolute', ...run.span }),
  };
  const icon = <IconGitFork size={16} />;
  if (!mayCreate) {
    return (
      <Menu.Item leftSection={icon} disabled title={missingPermission('streams:create')}>
        {LABEL}
      </Menu.Item>
    );
  }
  return (
    <Menu.Item
      leftSection={icon}
      renderRoot={(props) => <Link to="/streams/new" search={source} {...props} />}
    >
      {LABEL}
    </Menu.Item>
  );
}

const ALERT_LABEL = 'Make an alert of it';

/** Leads to a new condition that counts what the query finds. */
export function MakeAlertItem({ search }: { readonly search: SearchState }) {
  const { q, s } = search.values;
  const mayCreate = mayReachAny(usePermissions(), 'streams:edit');
  const icon = <IconBell size={16} />;
  if (!mayCreate) {
    return (
      <Menu.Item leftSection={icon} disabled title={missingPermission('streams:edit')}>
        {ALERT_LABEL}
      </Menu.Item>
    );
  }
  const source = { q, ...(s.length === 0 ? {} : { s: listParam().print(s) }) };
  return (
    <Menu.Item
      leftSection={icon}
      renderRoot={(props) => <Link to="/alerts/conditions/new" search={source} {...props} />}
    >
      {ALERT_LABEL}
    </Menu.Item>
  );
}
