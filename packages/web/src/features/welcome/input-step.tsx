import { Select } from '@mantine/core';
import type { InputState } from '@millrace/contract';
import { stateWord } from '@millrace/contract/states';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { InlineNotice } from '../../components/inline-notice.tsx';
import { SchemaForm } from '../../components/schema-form.tsx';
import { StateBadge, type StateTone } from '../../components/state-badge.tsx';
import { useCan } from '../../lib/account/index.ts';
import { fieldsFromConfiguration } from '../../lib/forms/index.ts';
import { addressOf, inputTypesQuery, problemsOf } from '../../lib/inputs/index.ts';
import { useStartInput } from './queries.ts';
import { texts } from './texts.ts';
import classes from './welcome.module.css';

const TONES: Partial<Record<InputState['state'], StateTone>> = { RUNNING: 'ok', FAILED: 'danger' };

/** What runs, or a form to start something. */
export function InputStep({ states }: { readonly states: readonly InputState[] | undefined }) {
  const mayCreate = useCan('inputs:create');
  if (states === undefined) return null;
  const isRunning = states.some(({ state }) => state === 'RUNNING');
  return (
    <>
      {states.length > 0 && <InputStates states={states} />}
      {!isRunning &&
        (mayCreate ? <StartInput /> : <InlineNotice kind="info">{texts.noInputNotAllowed}</InlineNotice>)}
    </>
  );
}

function InputStates({ states }: { readonly states: readonly InputState[] }) {
  return (
    <ul className={classes.inputs}>
      {states.map(({ id, state, detailed_message, listening, message_input }) => {
        const { host, port } = addressOf(message_input, window.location.hostname, listening);
        return (
          <li key={id}>
            <StateBadge tone={TONES[state] ?? 'dim'}>{stateWord(state)}</StateBadge>
            <span>{message_input.title}</span>
            <code>
              {host}:{port}
            </code>
            {state === 'FAILED' && detailed_message !== null && (
              <span className={classes.failure}>{detailed_message}</span>
            )}
          </li>
        );
      })}
    </ul>
  );
}

const EASIEST = /GELFHttpInput$/;

function StartInput() {
  const { data: types } = useQuery(inputTypesQuery);
  const start = useStartInput();
  const [chosen, setChosen] = useState<string>();
  if (types === undefined) return null;
  const all = Object.values(types);
  const type =
    all.find((known) => known.type === chosen) ?? all.find((known) => EASIEST.test(known.type)) ?? all[0];
  if (type === undefined) return null;
  return (
    <>
      <p className={classes.dim}>{texts.noInput}</p>
      <SchemaForm
        type={type.type}
        fields={fieldsFromConfiguration(type.requested_configuration)}
        submitLabel={texts.start}
        isBusy={start.isPending}
        error={start.error}
        validate={(configuration) => problemsOf(type.type, configuration)}
        onSubmit={(configuration) => start.mutate({ type: type.type, name: type.name, configuration })}
      >
        <Select
          label={texts.type}
          data={all.map(({ type: value, name: label }) => ({ value, label }))}
          value={type.type}
          onChange={(value) => setChosen(value ?? undefined)}
        />
      </SchemaForm>
    </>
  );
}
