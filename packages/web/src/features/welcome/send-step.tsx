import { Select } from '@mantine/core';
import type { InputState } from '@millrace/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { CodeSnippet } from '../../components/code-snippet.tsx';
import { ExampleTabs } from '../../components/example-tabs.tsx';
import { TestMessage } from '../../components/test-message.tsx';
import { addressOf, examplesFor, inputTypesQuery } from '../../lib/inputs/index.ts';
import { messageCountQuery } from './queries.ts';
import { texts } from './texts.ts';
import classes from './welcome.module.css';

/** Ways to send to each input that runs. */
export function SendStep({ states }: { readonly states: readonly InputState[] }) {
  const client = useQueryClient();
  const [chosen, setChosen] = useState<string>();
  const { data: types } = useQuery(inputTypesQuery);
  const state = states.find((known) => known.id === chosen) ?? easiest(states);
  if (state === undefined) return null;
  const { id, listening, message_input: input } = state;
  const host = window.location.hostname;
  const type = types?.[input.type];
  const examples = type === undefined ? [] : examplesFor(input, type, host, listening);
  const address = addressOf(input, host, listening);
  return (
    <>
      {states.length > 1 && (
        <Select
          className={classes.choice ?? ''}
          aria-label={texts.input}
          data={states.map(({ id: value, message_input: { title: label } }) => ({ value, label }))}
          value={id}
          onChange={(value) => value !== null && setChosen(value)}
          allowDeselect={false}
        />
      )}
      {examples.length > 0 ? (
        <ExampleTabs key={id} examples={examples} label={texts.send} />
      ) : (
        types !== undefined && (
          <>
            <p className={classes.dim}>{texts.noExample(input.name)}</p>
            <CodeSnippet label={texts.address} code={`${address.host}:${address.port}`} />
          </>
        )
      )}
      {address.isOnlyLocal && <p className={classes.dim}>{texts.onlyHere(address.host)}</p>}
      <TestMessage
        key={`send ${id}`}
        inputId={id}
        label={texts.sendForMe}
        onSent={() => void client.invalidateQueries({ queryKey: messageCountQuery.queryKey })}
      />
    </>
  );
}

/** curl is everywhere and shows an answer. */
function easiest(states: readonly InputState[]): InputState | undefined {
  return states.find(({ message_input: { type } }) => type.endsWith('GELFHttpInput')) ?? states[0];
}
