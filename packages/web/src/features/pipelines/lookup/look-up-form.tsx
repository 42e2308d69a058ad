import { Button, TextInput } from '@mantine/core';
import type { LookupResultView } from '@millrace/contract';
import { type FormEvent, useId, useState } from 'react';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { InlineNotice } from '../../../components/inline-notice.tsx';
import { JsonTree } from '../../../components/json-tree.tsx';
import { toast } from '../../../components/toast.ts';
import classes from '../pipelines.module.css';
import { useLookUp, usePurge } from './queries.ts';
import { lookupTexts } from './texts.ts';

export interface LookUpFormProps {
  readonly kind: 'tables' | 'adapters';
  readonly name: string;
}

/** Looks up a key on this node, as rules would. */
export function LookUpForm({ kind, name }: LookUpFormProps) {
  const [key, setKey] = useState('');
  const lookUp = useLookUp(kind, name);
  const purge = usePurge(name);
  const headingId = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (key !== '') lookUp.mutate(key);
  };
  return (
    <section className={classes.card} aria-labelledby={headingId}>
      <h2 id={headingId}>{lookupTexts.testHeading}</h2>
      <form className={classes.connect} onSubmit={submit}>
        <TextInput
          label={lookupTexts.key}
          value={key}
          maxLength={10_000}
          onChange={(event) => setKey(event.currentTarget.value)}
        />
        <Button type="submit" loading={lookUp.isPending}>
          {lookupTexts.lookUp}
        </Button>
        {kind === 'tables' && (
          <Button
            loading={purge.isPending}
            onClick={() => purge.mutate(undefined, { onSuccess: () => toast(lookupTexts.purged) })}
          >
            {lookupTexts.purge}
          </Button>
        )}
      </form>
      {lookUp.error !== null && <ErrorNotice error={lookUp.error} />}
      {purge.error !== null && <ErrorNotice error={purge.error} />}
      {lookUp.data !== undefined && <Found result={lookUp.data} />}
    </section>
  );
}

function Found({ result }: { readonly result: LookupResultView }) {
  const { single_value: single, multi_value: multi, string_list_value: list, has_error } = result;
  if (has_error) return <InlineNotice kind="danger">{lookupTexts.failed}</InlineNotice>;
  const isNothing = (single === null || single === undefined) && multi === null && list === null;
  if (isNothing) return <p role="status">{lookupTexts.notFound}</p>;
  return (
    <div role="status">
      <JsonTree name={lookupTexts.singleFound} value={single} />
      {multi !== null && <JsonTree name={lookupTexts.multiFound} value={multi} />}
      {list !== null && <JsonTree name={lookupTexts.listFound} value={list} />}
    </div>
  );
}
