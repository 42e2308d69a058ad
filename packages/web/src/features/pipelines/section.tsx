import { Tabs } from '@mantine/core';
import type { PermissionName } from '@millrace/contract';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { missingPermission } from '../../components/disabled.tsx';
import { InlineNotice } from '../../components/inline-notice.tsx';
import { Page, PageHeader } from '../../components/page-header.tsx';
import { mayReachAny, usePermissions } from '../../lib/account/index.ts';
import classes from './pipelines.module.css';
import { texts } from './texts.ts';

const SECTIONS = [
  { value: 'pipelines', to: '/pipelines', permission: 'pipeline:read' },
  { value: 'rules', to: '/pipelines/rules', permission: 'pipeline_rule:read' },
  { value: 'simulator', to: '/pipelines/simulator', permission: 'pipeline_rule:read' },
  { value: 'grok', to: '/pipelines/grok', permission: 'inputs:read' },
  { value: 'lookup', to: '/pipelines/lookup', permission: 'lookuptables:read' },
] as const satisfies readonly { value: string; to: string; permission: PermissionName }[];

export interface SectionProps {
  readonly section: (typeof SECTIONS)[number]['value'];
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** One of the pages that stand beside each other under Pipelines. Those that may not be read are not offered. */
export function Section({ section, actions, children }: SectionProps) {
  const permissions = usePermissions();
  const navigate = useNavigate();
  const mine = SECTIONS.find(({ value }) => value === section) ?? SECTIONS[0];
  const mayRead = mayReachAny(permissions, mine.permission);
  const open = (chosen: string | null) => {
    const to = SECTIONS.find(({ value }) => value === chosen)?.to;
    if (to !== undefined) void navigate({ to });
  };
  return (
    <Page>
      <PageHeader
        title={texts.sections[section].title}
        about={texts.sections[section].about}
        actions={actions}
      />
      <Tabs value={section} onChange={open}>
        <Tabs.List>
          {SECTIONS.filter(({ permission }) => mayReachAny(permissions, permission)).map(({ value }) => (
            <Tabs.Tab key={value} value={value}>
              {texts.sections[value].title}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={section} className={classes.panel}>
          {mayRead ? children : <InlineNotice kind="info">{missingPermission(mine.permission)}</InlineNotice>}
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
