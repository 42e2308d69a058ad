import { SegmentedControl, Tabs } from '@mantine/core';
import type { Input } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { CodeSnippet } from '../../components/code-snippet.tsx';
import { addressOf, type Example, examplesFor } from './examples.ts';
import { inputTypesQuery } from './queries.ts';
import { SendForMe } from './send-for-me.tsx';
import { texts } from './texts.ts';
import classes from './welcome.module.css';

/** Ways to send to each input that runs. */
export function SendStep({ inputs }: { readonly inputs: readonly Input[] }) {
  const [chosen, setChosen] = useState<string>();
  const { data: types } = useQuery(inputTypesQuery);
  const input = inputs.find(({ id }) => id === chosen) ?? easiest(inputs);
  if (input === undefined) return null;
  const host = window.location.hostname;
  const type = types?.[input.type];
  const examples = type === undefined ? [] : examplesFor(input, type, host);
  const address = addressOf(input, host);
  return (
    <>
      {inputs.length > 1 && (
        <SegmentedControl
          className={classes.choice ?? ''}
          data={inputs.map(({ id, title }) => ({ value: id, label: title }))}
          value={input.id}
          onChange={setChosen}
        />
      )}
      {examples.length > 0 ? (
        <Examples key={input.id} examples={examples} />
      ) : (
        types !== undefined && (
          <>
            <p className={classes.dim}>{texts.noExample(input.name)}</p>
            <CodeSnippet label={texts.address} code={`${address.host}:${address.port}`} />
          </>
        )
      )}
      {address.isOnlyLocal && <p className={classes.dim}>{texts.onlyHere(address.host)}</p>}
      <SendForMe key={`send ${input.id}`} input={input} />
    </>
  );
}

function Examples({ examples }: { readonly examples: readonly Example[] }) {
  return (
    <Tabs defaultValue={examples[0]?.label ?? ''} keepMounted={false}>
      <Tabs.List>
        {examples.map(({ label }) => (
          <Tabs.Tab key={label} value={label}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {examples.map(({ label, code }) => (
        <Tabs.Panel key={label} value={label} className={classes.example}>
          <CodeSnippet label={texts.send} code={code} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

/** curl is everywhere and shows an answer. */
function easiest(inputs: readonly Input[]): Input | undefined {
  return inputs.find(({ type }) => type.endsWith('GELFHttpInput')) ?? inputs[0];
}
