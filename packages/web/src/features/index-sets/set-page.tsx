import { Tabs } from '@mantine/core';
import type { IndexSetView } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { missingPermission } from '../../components/disabled.tsx';
import { InlineNotice } from '../../components/inline-notice.tsx';
import { OneOrWhyNot } from '../../components/one-or-why-not.tsx';
import { Page, PageHeader } from '../../components/page-header.tsx';
import { PartBoundary } from '../../components/part-boundary.tsx';
import classes from './index-sets.module.css';
import { Indices } from './indices.tsx';
import { SetBadges } from './page.tsx';
import { outlooksQuery, setQuery } from './queries.ts';
import { SettingsTab } from './settings-tab.tsx';
import { texts } from './texts.ts';
import { effectSentence, outlookSentence } from './words.ts';

export function IndexSetIndicesPage() {
  return <IndexSetPage tab="indices" />;
}

export function IndexSetSettingsPage() {
  return <IndexSetPage tab="settings" />;
}

function IndexSetPage({ tab }: { readonly tab: 'indices' | 'settings' }) {
  const { id = '' } = useParams({ strict: false });
  return (
    <OneOrWhyNot
      result={useQuery(setQuery(id))}
      notFound={texts.notFound}
      notFoundWhy={texts.notFoundWhy}
      forbidden={missingPermission('indexsets:read', texts.thisSet)}
      listPath="/index-sets"
      toList={texts.allSets}
    >
      {(set) => <OneSet key={id} set={set} tab={tab} />}
    </OneOrWhyNot>
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
      {set.writable ? <SetOutlook id={set.id} /> : <p className={classes.sentence}>{texts.readOnlyKeeps}</p>}
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
