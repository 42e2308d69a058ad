import { Button } from '@mantine/core';
import type { Input } from '@millrace/contract';
import { boundAddress } from '@millrace/contract/states';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { InlineNotice } from '../../components/inline-notice.tsx';
import { OneOrWhyNot } from '../../components/one-or-why-not.tsx';
import { Page, PageHeader } from '../../components/page-header.tsx';
import { PartTabs, useTab } from '../../components/part-tabs.tsx';
import { inputStatesQuery } from '../../lib/inputs/index.ts';
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
  const [tab, open] = useTab(TABS);
  const { data: nodes } = useQuery(inputStatesQuery);
  const combined = combinedState(statesById(nodes ?? {}).get(input.id));
  const row = { input, combined, address: boundAddress(input, combined.listening) };
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
      <PartTabs tabs={TABS} tab={tab} onTab={open} about={row} />
    </Page>
  );
}
