import { Select } from '@mantine/core';
import type { ExtractorTypes, ExtractorView } from '@millrace/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { LeaveQuestion } from '../../../components/leave-question.tsx';
import { SchemaForm } from '../../../components/schema-form.tsx';
import { toast } from '../../../components/toast.ts';
import { type FormValues, initialValues, isSame, problemsOf } from '../../../lib/forms/index.ts';
import { ConvertersField } from './converters-field.tsx';
import {
  type Converters,
  carriedOver,
  type ExtractorType,
  fieldsOf,
  requestOf,
  storedValues,
} from './extractor-values.ts';
import classes from './extractors.module.css';
import { extractorQuery, useSaveExtractor } from './queries.ts';
import { extractorTexts as texts } from './texts.ts';
import { TrialPanel } from './trial-panel.tsx';

export interface ExtractorFormProps {
  readonly inputId: string;
  readonly types: ExtractorTypes;
  /** Undefined: a new one. */
  readonly extractor: ExtractorView | undefined;
  /** Its place among the others. */
  readonly order: number;
  /** Why it cannot be saved; nothing when it can. */
  readonly reason: string | undefined;
  readonly onDone: () => void;
}

/** One extractor, with a message to try it on while it is written. */
export function ExtractorForm(props: ExtractorFormProps) {
  const { types, extractor } = props;
  const [base, setBase] = useState(extractor);
  const [chosen, setChosen] = useState(extractor?.type ?? 'regex');
  // What was typed stays when another type is chosen, also for the way back.
  const [filled, setFilled] = useState<FormValues>();
  const [converters, setConverters] = useState<Converters>(extractor?.converters ?? []);
  const type = types.types.find((known) => known.type === chosen) ?? types.types[0];
  if (type === undefined) return null;
  return (
    <TypedForm
      key={`${type.type} ${base?.revision}`}
      {...props}
      {...{ type, base, filled, converters }}
      onBase={(stored) => {
        setBase(stored);
        setConverters(stored?.converters ?? []);
      }}
      onConverters={setConverters}
      onType={(next, values) => {
        setFilled(carriedOver(type, filled, values));
        setChosen(next);
      }}
    />
  );
}

interface TypedFormProps extends ExtractorFormProps {
  readonly type: ExtractorType;
  readonly base: ExtractorView | undefined;
  readonly filled: FormValues | undefined;
  readonly converters: Converters;
  readonly onBase: (extractor: ExtractorView | undefined) => void;
  readonly onConverters: (converters: Converters) => void;
  readonly onType: (type: string, values: FormValues) => void;
}

function TypedForm(props: TypedFormProps) {
  const { inputId, types, type, base, filled, converters, order, reason, onBase, onType, onDone } = props;
  const client = useQueryClient();
  const fields = useMemo(() => fieldsOf(type), [type]);
  const stored = useMemo(() => (base === undefined ? undefined : storedValues(base)), [base]);
  const [values, setValues] = useState<FormValues>();
  const first = useRef<FormValues>(undefined);
  const save = useSaveExtractor(inputId, base?.id);
  // A new one begins with nothing, whatever was typed before another type was chosen.
  if (values !== undefined) first.current ??= base === undefined ? {} : values;
  const isUnsaved =
    values !== undefined &&
    !(isSame(values, first.current) && isSame(converters, base === undefined ? [] : base.converters));

  const request = (of: FormValues) => requestOf(type, of, { converters, order });
  const isComplete =
    values !== undefined &&
    // It can be tried before it has a title.
    Object.keys(problemsOf(fields, { ...initialValues(fields, values), title: texts.one })).length === 0;
  const send = (of: FormValues, revision: string | undefined) =>
    save.mutate(
      { ...request(of), revision },
      {
        onSuccess: () => {
          toast(texts.saved(String(of.title)));
          onDone();
        },
      },
    );
  const reload = async () =>
    onBase(await client.fetchQuery({ ...extractorQuery(inputId, base?.id ?? ''), staleTime: 0 }));
  return (
    <div className={classes.workbench}>
      <div className={classes.card}>
        <LeaveQuestion isUnsaved={isUnsaved && !save.isPending} what={texts.leave} />
        <SchemaForm
          fields={fields}
          stored={stored}
          filled={filled}
          submitLabel={base === undefined ? texts.create : texts.save}
          noSubmitReason={reason}
          isBusy={save.isPending}
          error={save.error}
          conflict={{ what: texts.one, onReload: reload, onOverwrite: (of) => send(of, undefined) }}
          onValues={setValues}
          onSubmit={(of) => send(of, base?.revision)}
          onCancel={onDone}
          below={
            <ConvertersField types={types.converters} converters={converters} onChange={props.onConverters} />
          }
        >
          <Select
            label={texts.type}
            description={type.description}
            data={types.types.map(({ type: value, name: label }) => ({ value, label }))}
            value={type.type}
            readOnly={base !== undefined}
            onChange={(next) => next !== null && onType(next, values ?? {})}
          />
        </SchemaForm>
      </div>
      <div className={classes.beside}>
        <TrialPanel inputId={inputId} extractor={isComplete ? request(values) : undefined} />
      </div>
    </div>
  );
}
