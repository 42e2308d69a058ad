import { Button, Tabs } from '@mantine/core';
import type { IndexSetView } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { missingPermission } from '../../components/disabled.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { InlineNotice } from '../../components/inline-notice.tsx';
import { Page, PageHeader } from '../../components/page-header.tsx';
import { PartBoundary } from '../../components/part-boundary.tsx';
import { ApiError } from '../../lib/api/index.ts';
import classes from './index-sets.module.css';
import { Indices } from './indices.tsx';
import { SetBadges } from './page.tsx';
import { outlooksQuery, setQuery } from './queries.ts';
import { SettingsTab } from './settings-tab.tsx';
import { texts } from './texts.ts';
import { effectSentence, outlookSentence } from './words.ts';

const FORBIDDEN = 403;
const NOT_FOUND = 404;

export function IndexSetIndicesPage() {
  return <IndexSetPage tab="indices" />;
}

export function IndexSetSettingsPage() {
  return <IndexSetPage tab="settings" />;
}

function IndexSetPage({ tab }: { readonly tab: 'indices' | 'settings' }) {
  const { id = '' } = useParams({ strict: false });
  const { data: set, error, refetch } = useQuery(setQuery(id));
  if (set !== undefined) return <OneSet key={id} set={set} tab={tab} />;
  if (error === null) return <Page>{null}</Page>;
  const status = error instanceof ApiError ? error.status : undefined;
  if (status === FORBIDDEN || status === NOT_FOUND) {
    const isForbidden = status === FORBIDDEN;
    return (
      <Page>
        <EmptyState
          isPage
          title={isForbidden ? missingPermission('indexsets:read', texts.thisSet) : texts.notFound}
          action={
            <Button renderRoot={(props) => <Link to="/index-sets" {...props} />}>{texts.allSets}</Button>
          }
        >
          {isForbidden ? undefined : texts.notFoundWhy}
        </EmptyState>
      </Page>
    );
  }
  return (
    <Page>
      <ErrorNotice error={error} onRetry={() => void refetch()} />
    </Page>
  );
}

function OneSet({ set, tab }: { readonly set: IndexSetView; readonly tab: 'indices' | 'settings' }) {
  const navigate = useNavigate();
  const to = { indices: '/index-sets/$id', settings: '/index-sets/$id/settings' } as const;
  return (
    <Page>
      <PageHeader
        title={set.title}
        about={
          <span className={classes.about}>
            <code>{`${set.index_prefix}_*`}</code> <SetBadges set={set} /> {set.description}
          </span>
        }
      />
      <SetOutlook id={set.id} />
      <Tabs
        value={tab}
        onChange={(value) =>
          void navigate({ to: to[value === 'settings' ? 'settings' : 'indices'], params: { id: set.id } })
        }
        keepMounted={false}
      >
        <Tabs.List>
          <Tabs.Tab value="indices">{texts.indices}</Tabs.Tab>
          <Tabs.Tab value="settings">{texts.settings}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="indices" className={classes.panel}>
          <PartBoundary>
            <Indices set={set} />
          </PartBoundary>
        </Tabs.Panel>
        <Tabs.Panel value="settings" className={classes.panel}>
          <PartBoundary>
            <SettingsTab set={set} />
          </PartBoundary>
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

/** What is kept how long, and what goes next. */
function SetOutlook({ id }: { readonly id: string }) {
  const { data, error } = useQuery(outlooksQuery([id]));
  const outlook = data?.outlooks[id];
  if (error !== null && data === undefined) return <InlineNotice kind="warn">{texts.noStorage}</InlineNotice>;
  if (outlook === undefined) return <p className={classes.sentence} />;
  const effect = effectSentence(outlook);
  return (
    <>
      <p className={classes.sentence}>{outlookSentence(outlook)}</p>
      {effect !== undefined && <InlineNotice kind="warn">{effect}</InlineNotice>}
    </>
  );
}
