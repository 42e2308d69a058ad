import { Tabs } from '@mantine/core';
import { Navigate, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { missingPermission } from '../../components/disabled.tsx';
import { InlineNotice } from '../../components/inline-notice.tsx';
import { Page, PageHeader } from '../../components/page-header.tsx';
import { usePermissions } from '../../lib/account/index.ts';
import classes from './pipelines.module.css';
import { PIPELINE_SECTIONS, readableSections } from './sections.ts';
import { texts } from './texts.ts';

export interface SectionProps {
  readonly section: (typeof PIPELINE_SECTIONS)[number]['value'];
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** One of the pages that stand beside each other under Pipelines. Those that may not be read are not offered. */
export function Section({ section, actions, children }: SectionProps) {
  const permissions = usePermissions();
  const navigate = useNavigate();
  const readable = readableSections(permissions);
  const mine = PIPELINE_SECTIONS.find(({ value }) => value === section) ?? PIPELINE_SECTIONS[0];
  const mayRead = readable.includes(mine);
  const open = (chosen: string | null) => {
    const to = PIPELINE_SECTIONS.find(({ value }) => value === chosen)?.to;
    if (to !== undefined) void navigate({ to });
  };
  // The rail leads to the first one, for whoever may read any.
  if (section === 'pipelines' && !mayRead && readable[0] !== undefined) {
    return <Navigate to={readable[0].to} replace />;
  }
  return (
    <Page>
      <PageHeader
        title={texts.sections[section].title}
        about={texts.sections[section].about}
        actions={actions}
      />
      <Tabs value={section} onChange={open}>
        <Tabs.List>
          {readable.map(({ value }) => (
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
