import { SegmentedControl } from '@mantine/core';
import type { Input } from '@millrace/contract';
import { useState } from 'react';
import { CodeSnippet } from '../../components/code-snippet.tsx';
import { addressOf, exampleFor } from './examples.ts';
import { texts } from './texts.ts';
import classes from './welcome.module.css';

/** A command for each input that runs. */
export function SendStep({ inputs }: { readonly inputs: readonly Input[] }) {
  const [chosen, setChosen] = useState<string>();
  const input = inputs.find(({ id }) => id === chosen) ?? easiest(inputs);
  if (input === undefined) return null;
  const host = window.location.hostname;
  const example = exampleFor(input, host);
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
      <p className={classes.dim}>{example === undefined ? texts.noExample(input.name) : texts.send}</p>
      <CodeSnippet label={texts.send} code={example?.command ?? `${address.host}:${address.port}`} />
      {address.isOnlyLocal && <p className={classes.dim}>{texts.onlyHere(address.host)}</p>}
    </>
  );
}

/** curl is everywhere and shows an answer. */
function easiest(inputs: readonly Input[]): Input | undefined {
  return inputs.find(({ type }) => type.endsWith('GELFHttpInput')) ?? inputs[0];
}
