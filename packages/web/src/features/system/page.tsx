import { Button } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { missingPermission } from '../../components/disabled.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { InlineNotice } from '../../components/inline-notice.tsx';
import { LinkTabs } from '../../components/link-tabs.tsx';
import { Page, PageHeader } from '../../components/page-header.tsx';
import { PartBoundary } from '../../components/part-boundary.tsx';
import { usePermissions } from '../../lib/account/index.ts';
import { AuditPart } from './audit-part.tsx';
import { EventsPart } from './events-part.tsx';
import { JobsPart } from './jobs-part.tsx';
import { LicencesPart } from './licences-part.tsx';
import { NotificationsPart } from './notifications-part.tsx';
import { type PartName, reachableParts, SYSTEM_PARTS } from './parts.ts';
import { PluginsPart } from './plugins-part.tsx';
import { SettingsPart } from './settings-part.tsx';
import classes from './system.module.css';
import {
  auditTexts,
  eventTexts,
  jobTexts,
  licenceTexts,
  notificationTexts,
  pluginTexts,
  settingTexts,
  texts,
} from './texts.ts';

const CONTENTS: Readonly<Record<PartName, ComponentType>> = {
  notifications: NotificationsPart,
  events: EventsPart,
  audit: AuditPart,
  jobs: JobsPart,
  settings: SettingsPart,
  plugins: PluginsPart,
  licences: LicencesPart,
};

const ABOUT: Readonly<Record<PartName, string>> = {
  notifications: notificationTexts.about,
  events: eventTexts.about,
  audit: auditTexts.about,
  jobs: jobTexts.about,
  settings: settingTexts.about,
  plugins: pluginTexts.about,
  licences: licenceTexts.about,
};

/** `/system/audit`, `/system/jobs`, ...: the path chooses the part. */
export function SystemPage() {
  const { part: wanted = '' } = useParams({ strict: false });
  const permissions = usePermissions();
  const part = SYSTEM_PARTS.find(({ name }) => name === wanted);
  const reachable = reachableParts(permissions);
  if (part === undefined) {
    return (
      <Page>
        <EmptyState
          isPage
          title={texts.noSuchPart}
          action={<Button renderRoot={(props) => <Link to="/system" {...props} />}>{texts.title}</Button>}
        >
          {texts.noSuchPartWhy}
        </EmptyState>
      </Page>
    );
  }
  const Content = CONTENTS[part.name];
  return (
    <Page>
      <PageHeader title={texts.parts[part.name]} about={ABOUT[part.name]} />
      <LinkTabs
        label={texts.partsLabel}
        tabs={reachable.map(({ name }) => ({ to: `/system/${name}`, label: texts.parts[name] }))}
      />
      {part.permission === undefined || reachable.includes(part) ? (
        <PartBoundary key={part.name}>
          <div className={classes.part}>
            <Content />
          </div>
        </PartBoundary>
      ) : (
        <InlineNotice kind="info">{missingPermission(part.permission)}</InlineNotice>
      )}
    </Page>
  );
}
