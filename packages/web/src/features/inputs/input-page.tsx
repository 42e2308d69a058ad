import { Button, Tabs } from '@mantine/core';
import type { Input } from '@millrace/contract';
import { boundAddress } from '@millrace/contract/states';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { InlineNotice } from '../../components/inline-notice.tsx';
import { OneOrWhyNot } from '../../components/one-or-why-not.tsx';
import { Page, PageHeader } from '../../components/page-header.tsx';
import { PartBoundary } from '../../components/part-boundary.tsx';
import { inputStatesQuery } from '../../lib/inputs/index.ts';
import { choiceParam, pageParams, type SearchParams } from '../../lib/url/index.ts';
import { ExtractorsTab } from './extractors/extractors-tab.tsx';
import { FailureNotice, InputStateBadge, RunButton } from './input-parts.tsx';
import { combinedState, statesById } from './input-state.ts';
import classes from './inputs.module.css';
import { LossesTab } from './losses-tab.tsx';
import { inputQuery } from './queries.ts';
import { RatesTab } from './rates-tab.tsx';
import { inputSearch } from './search-links.ts';
import { SendTab } from './send-tab.tsx';
import { SettingsTab } from './settings-tab.tsx';
import { StaticFieldsTab } from './static-fields-tab.tsx';
import { tabTexts, texts } from './texts.ts';

const TABS = [
  { value: 'send', label: tabTexts.send, Content: SendTab },
  { value: 'rates', label: tabTexts.rates, Content: RatesTab },
  { value: 'losses', label: tabTexts.losses, Content: LossesTab },
  { value: 'extractors', label: tabTexts.extractors, Content: ExtractorsTab },
  { value: 'static-fields', label: tabTexts.staticFields, Content: StaticFieldsTab },
  { value: 'settings', label: tabTexts.settings, Content: SettingsTab },
] as const;

const tabParams = pageParams<{ tab: (typeof TABS)[number]['value'] }>({
  tab: choiceParam(
    TABS.map(({ value }) => value),
    'send',
  ),
});

/** One input: `?tab=` chooses what of it. */
export function InputPage() {
  const { id = '' } = useParams({ strict: false });
  return (
    <OneOrWhyNot
      result={useQuery(inputQuery(id))}
      notFound={texts.notFound}
      notFoundWhy={texts.notFoundWhy}
      listPath="/inputs"
      toList={texts.allInputs}
    >
      {(input) => <OneInput key={id} input={input} />}
    </OneOrWhyNot>
  );
}

function OneInput({ input }: { readonly input: Input }) {
  const search = useSearch({ strict: false }) as SearchParams;
  const { tab } = tabParams.read(search).values;
  const navigate = useNavigate();
  const { data: nodes } = useQuery(inputStatesQuery);
  const combined = combinedState(statesById(nodes ?? {}).get(input.id));
  const row = { input, combined, address: boundAddress(input, combined.listening) };
  const open = (tab: string | null) =>
    void navigate({
      to: '/inputs/$id',
      params: { id: input.id },
      search: tabParams.write({ tab: TABS.find(({ value }) => value === tab)?.value ?? 'send' }, search),
    });
  return (
    <Page>
      <PageHeader
        title={input.title}
        about={
          <span className={classes.about}>
            {nodes !== undefined && <InputStateBadge combined={combined} />}
            <span>{input.name}</span>
            <span className="mono">{row.address}</span>
          </span>
        }
        actions={
          <>
            <Button renderRoot={(props) => <Link {...inputSearch(input.id)} {...props} />}>
              {texts.search}
            </Button>
            {nodes !== undefined && <RunButton {...row} />}
          </>
        }
      />
      <FailureNotice {...row} />
      {combined.tone === 'warn' && tab !== 'losses' && (
        <InlineNotice kind="warn" actions={<Button onClick={() => open('losses')}>{texts.seeLosses}</Button>}>
          {texts.losesNow}
        </InlineNotice>
      )}
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
              <Content {...row} />
            </PartBoundary>
          </Tabs.Panel>
        ))}
      </Tabs>
    </Page>
  );
}
