import { Tabs } from '@mantine/core';
import type { Output } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { InlineNotice } from '../../components/inline-notice.tsx';
import { OneOrWhyNot } from '../../components/one-or-why-not.tsx';
import { Page, PageHeader } from '../../components/page-header.tsx';
import { PartBoundary } from '../../components/part-boundary.tsx';
import { StateBadge } from '../../components/state-badge.tsx';
import { sentence } from '../../lib/format/index.ts';
import { outputStatesQuery, outputTypesQuery } from '../../lib/outputs/index.ts';
import { choiceParam, pageParams, type SearchParams } from '../../lib/url/index.ts';
import { listedOutput } from './listed-outputs.ts';
import { PauseButton } from './output-parts.tsx';
import classes from './outputs.module.css';
import { outputQuery, outputStreamsQuery } from './queries.ts';
import { SettingsTab } from './settings-tab.tsx';
import { StateTab } from './state-tab.tsx';
import { StreamsTab } from './streams-tab.tsx';
import { tabTexts, texts } from './texts.ts';

const TABS = [
  { value: 'state', label: tabTexts.state, Content: StateTab },
  { value: 'streams', label: tabTexts.streams, Content: StreamsTab },
  { value: 'settings', label: tabTexts.settings, Content: SettingsTab },
] as const;

const tabParams = pageParams<{ tab: (typeof TABS)[number]['value'] }>({
  tab: choiceParam(
    TABS.map(({ value }) => value),
    'state',
  ),
});

/** One output: `?tab=` chooses what of it. */
export function OutputPage() {
  const { id = '' } = useParams({ strict: false });
  return (
    <OneOrWhyNot
      result={useQuery(outputQuery(id))}
      notFound={texts.notFound}
      notFoundWhy={texts.notFoundWhy}
      listPath="/outputs"
      toList={texts.allOutputs}
    >
      {(output) => <OneOutput key={id} output={output} />}
    </OneOrWhyNot>
  );
}

function OneOutput({ output }: { readonly output: Output }) {
  const search = useSearch({ strict: false }) as SearchParams;
  const { tab } = tabParams.read(search).values;
  const navigate = useNavigate();
  const { data: states } = useQuery(outputStatesQuery);
  const { data: streams } = useQuery(outputStreamsQuery);
  const { data: types } = useQuery(outputTypesQuery);
  const row = listedOutput(output, { states, streams, types });
  const { tone, word, why } = row.combined;
  const open = (chosen: string | null) =>
    void navigate({
      to: '/outputs/$id',
      params: { id: output.id },
      search: tabParams.write({ tab: TABS.find(({ value }) => value === chosen)?.value ?? 'state' }, search),
    });
  return (
    <Page>
      <PageHeader
        title={output.title}
        about={
          <span className={classes.about}>
            {states !== undefined && <StateBadge tone={tone}>{word}</StateBadge>}
            <span>{row.type}</span>
          </span>
        }
        actions={states !== undefined && <PauseButton row={row} />}
      />
      {why !== undefined && <InlineNotice kind="danger">{sentence(why)}</InlineNotice>}
      <Tabs value={tab} onChange={open} keepMounted={false}>
        <Tabs.List>
          {TABS.map(({ value, label }) => (
            <Tabs.Tab key={value} value={value}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {TABS.map(({ value, Content }) => (
          <Tabs.Panel key={value} value={value} className={classes.panel}>
            <PartBoundary>
              <Content row={row} />
            </PartBoundary>
          </Tabs.Panel>
        ))}
      </Tabs>
    </Page>
  );
}
