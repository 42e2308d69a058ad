import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CodeSnippet } from '../../components/code-snippet.tsx';
import { Disabled, usePermissionReason } from '../../components/disabled.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { ExampleTabs } from '../../components/example-tabs.tsx';
import { InlineNotice } from '../../components/inline-notice.tsx';
import { TestMessage } from '../../components/test-message.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { addressOf, examplesFor, inputTypesQuery } from '../../lib/inputs/index.ts';
import { isListening } from './input-state.ts';
import classes from './inputs.module.css';
import type { ListedInput } from './listed-inputs.ts';
import { requestOf, useChangeInput } from './queries.ts';
import { tabTexts, texts } from './texts.ts';

/** Commands and programs with the address of this input in them, and a message to try it. */
export function SendTab(row: ListedInput) {
  const { input, combined } = row;
  const { data: types } = useQuery(inputTypesQuery);
  if (types === undefined) return null;
  const host = window.location.hostname;
  const type = types[input.type];
  const examples = type === undefined ? [] : examplesFor(input, type, host, combined.listening);
  const address = addressOf(input, host, combined.listening);
  const listens = isListening(combined);
  const header = input.effective_attributes.authorization_header_name;
  return (
    <>
      {listens === false ? (
        <InlineNotice kind="warn">{tabTexts.doesNotListen(row.address)}</InlineNotice>
      ) : listens === undefined ? null : address.isOnlyLocal ? (
        <OnlyLocal {...row} />
      ) : (
        <Listening {...row} />
      )}
      {typeof header === 'string' && header !== '' && (
        <InlineNotice kind="info">{tabTexts.header(header)}</InlineNotice>
      )}
      {examples.length > 0 ? (
        <ExampleTabs examples={examples} label={tabTexts.examples} />
      ) : (
        <>
          <p className={classes.quiet}>{tabTexts.noExample(input.name)}</p>
          <CodeSnippet label={tabTexts.address} code={`${address.host}:${address.port}`} />
        </>
      )}
      <section className={classes.section} aria-label={tabTexts.test}>
        <TestMessage
          inputId={input.id}
          label={tabTexts.test}
          noSendReason={combined.state === 'RUNNING' ? undefined : tabTexts.notRunning}
        />
        <p className={classes.quiet}>{tabTexts.testAbout}</p>
      </section>
    </>
  );
}

/** Where it listens, and since when: whoever waits for a first message wants to know that it can come. */
function Listening({ combined, address }: ListedInput) {
  const since = combined.nodes
    .filter(({ state }) => state === 'RUNNING')
    .map(({ started_at }) => started_at)
    .sort()[0];
  if (address === '') return null;
  return (
    <span className={classes.quiet}>
      {since === undefined ? (
        tabTexts.listens
      ) : (
        <>
          {tabTexts.listeningSince} <Timestamp value={since} />
        </>
      )}{' '}
      {tabTexts.on(address)}.
    </span>
  );
}

/** Nobody else can send: the most frequent reason why nothing arrives. */
function OnlyLocal(row: ListedInput) {
  const { input } = row;
  const change = useChangeInput(input.id);
  const reason = usePermissionReason('inputs:edit', input.id, texts.thisInput);
  const listen = () =>
    change.mutate(requestOf(input, { configuration: { ...input.attributes, bind_address: '0.0.0.0' } }));
  return (
    <>
      <InlineNotice
        kind="info"
        actions={
          <Disabled reason={reason}>
            <Button loading={change.isPending} onClick={listen} title={tabTexts.needsRestart}>
              {tabTexts.listenEverywhere}
            </Button>
          </Disabled>
        }
      >
        <Listening {...row} /> {tabTexts.onlyLocal}
      </InlineNotice>
      {change.error !== null && <ErrorNotice error={change.error} />}
    </>
  );
}
