import { Button, Tabs } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useRef } from 'react';
import { Disabled, missingPermission } from '../../components/disabled.tsx';
import { Page, PageHeader } from '../../components/page-header.tsx';
import { PartBoundary } from '../../components/part-boundary.tsx';
import { mayReachAny, usePermissions } from '../../lib/account/index.ts';
import { alertPageQuery } from '../../lib/alerts/index.ts';
import { formatCount } from '../../lib/format/index.ts';
import { useShortcuts } from '../../lib/keys/index.ts';
import type { SearchParams } from '../../lib/url/index.ts';
import classes from './alerts.module.css';
import { listTexts as texts } from './texts.ts';

const TABS = {
  open: { label: texts.open, to: '/alerts' },
  past: { label: texts.past, to: '/alerts/past' },
  conditions: { label: texts.conditions, to: '/alerts/conditions' },
  notifications: { label: texts.notifications, to: '/alerts/notifications' },
} as const;

export type AlertsTabName = keyof typeof TABS;

const REFRESH_MS = 15_000;

/** Title, tabs and what a tab shows. The chosen stream stays when another tab is opened. */
export function AlertsFrame({
  tab,
  children,
}: {
  readonly tab: AlertsTabName;
  readonly children: ReactNode;
}) {
  const navigate = useNavigate();
  const { s } = useSearch({ strict: false }) as SearchParams;
  const { data: open } = useQuery({
    ...alertPageQuery({ state: 'unresolved', limit: 1 }),
    refetchInterval: REFRESH_MS,
    meta: { isBackground: true },
  });
  const ofStream = s === undefined ? {} : { s };
  return (
    <Page>
      <PageHeader title={texts.title} about={texts.about} actions={<NewCondition ofStream={ofStream} />} />
      <Tabs
        value={tab}
        onChange={(chosen) =>
          void navigate({ to: TABS[(chosen ?? 'open') as AlertsTabName].to, search: ofStream })
        }
        keepMounted={false}
      >
        <Tabs.List>
          {Object.entries(TABS).map(([value, { label }]) => (
            <Tabs.Tab key={value} value={value}>
              {label}
              {value === 'open' && open !== undefined && ` ${formatCount(open.total)}`}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tab} className={classes.panel}>
          <PartBoundary>{children}</PartBoundary>
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

function NewCondition({ ofStream }: { readonly ofStream: SearchParams }) {
  const button = useRef<HTMLButtonElement>(null);
  const mayCreate = mayReachAny(usePermissions(), 'streams:edit');
  const reason = mayCreate ? undefined : missingPermission('streams:edit');
  const run = () => button.current?.click();
  useShortcuts(mayCreate ? [{ keys: 'n', label: texts.newCondition, group: texts.title, run }] : []);
  return (
    <Disabled reason={reason}>
      <Button
        ref={button}
        variant="filled"
        leftSection={<IconPlus size={16} />}
        {...(mayCreate && {
          renderRoot: (props: object) => <Link to="/alerts/conditions/new" search={ofStream} {...props} />,
        })}
      >
        {texts.newCondition}
      </Button>
    </Disabled>
  );
}
