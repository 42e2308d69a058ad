import { Button } from '@mantine/core';
import type { Stream } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { OneOrWhyNot } from '../../components/one-or-why-not.tsx';
import { Page, PageHeader } from '../../components/page-header.tsx';
import { PartTabs } from '../../components/part-tabs.tsx';
import { alertTexts, outputTexts } from './alert-texts.ts';
import { AlertsTab } from './alerts-tab.tsx';
import { OutputsTab } from './outputs-tab.tsx';
import { streamQuery } from './queries.ts';
import classes from './rules.module.css';
import { RulesTab } from './rules-tab.tsx';
import { SettingsTab } from './settings-tab.tsx';
import { StateButton, StreamState, searchLink } from './stream-parts.tsx';
import { ruleTexts, texts } from './texts.ts';

const TABS = [
  { value: 'rules', label: ruleTexts.rulesTab, to: '/streams/$id/rules', Content: RulesTab },
  { value: 'alerts', label: alertTexts.tab, to: '/streams/$id/alerts', Content: AlertsTab },
  { value: 'outputs', label: outputTexts.tab, to: '/streams/$id/outputs', Content: OutputsTab },
  { value: 'settings', label: ruleTexts.settingsTab, to: '/streams/$id/settings', Content: SettingsTab },
] as const;

export function StreamRulesPage() {
  return <StreamPage tab="rules" />;
}

export function StreamAlertsPage() {
  return <StreamPage tab="alerts" />;
}

export function StreamOutputsPage() {
  return <StreamPage tab="outputs" />;
}

export function StreamSettingsPage() {
  return <StreamPage tab="settings" />;
}

function StreamPage({ tab }: { readonly tab: (typeof TABS)[number]['value'] }) {
  const { id = '' } = useParams({ strict: false });
  return (
    <OneOrWhyNot
      result={useQuery(streamQuery(id))}
      notFound={ruleTexts.notFound}
      notFoundWhy={ruleTexts.notFoundWhy}
      listPath="/streams"
      toList={ruleTexts.allStreams}
    >
      {(stream) => <OneStream key={id} stream={stream} tab={tab} />}
    </OneOrWhyNot>
  );
}

interface OneStreamProps {
  readonly stream: Stream;
  readonly tab: (typeof TABS)[number]['value'];
}

function OneStream({ stream, tab }: OneStreamProps) {
  const navigate = useNavigate();
  return (
    <Page>
      <PageHeader
        title={stream.title}
        about={
          <span className={classes.about}>
            <StreamState state={stream.state} /> {stream.description}
          </span>
        }
        actions={
          <>
            <Button renderRoot={(props) => <Link {...searchLink(stream)} {...props} />}>
              {texts.search}
            </Button>
            <StateButton stream={stream} />
          </>
        }
      />
      <PartTabs
        tabs={TABS}
        tab={tab}
        onTab={(value) => {
          const to = TABS.find((known) => known.value === value)?.to ?? '/streams/$id/rules';
          void navigate({ to, params: { id: stream.id } });
        }}
        about={{ stream }}
      />
    </Page>
  );
}
