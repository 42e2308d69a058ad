import type { Output } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { InlineNotice } from '../../components/inline-notice.tsx';
import { OneOrWhyNot } from '../../components/one-or-why-not.tsx';
import { Page, PageHeader } from '../../components/page-header.tsx';
import { PartTabs, useTab } from '../../components/part-tabs.tsx';
import { StateBadge } from '../../components/state-badge.tsx';
import { sentence } from '../../lib/format/index.ts';
import { outputStatesQuery, outputTypesQuery } from '../../lib/outputs/index.ts';
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
  const [tab, open] = useTab(TABS);
  const { data: states } = useQuery(outputStatesQuery);
  const { data: streams } = useQuery(outputStreamsQuery);
  const { data: types } = useQuery(outputTypesQuery);
  const row = listedOutput(output, { states, streams, types });
  const { tone, word, why } = row.combined;
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
      <PartTabs tabs={TABS} tab={tab} onTab={open} about={{ row }} />
    </Page>
  );
}
