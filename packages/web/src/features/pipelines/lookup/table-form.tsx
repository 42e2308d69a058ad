import type { LookupTableRequest, LookupTableView } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { usePermissionReason } from '../../../components/disabled.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { LeaveQuestion } from '../../../components/leave-question.tsx';
import { SchemaForm } from '../../../components/schema-form.tsx';
import { toast } from '../../../components/toast.ts';
import type { Choice, FormField, FormValues } from '../../../lib/forms/index.ts';
import classes from '../pipelines.module.css';
import { texts } from '../texts.ts';
import { type Naming, NamingFields, namingProblems } from './naming-fields.tsx';
import { partChoicesQuery, useSaveTable } from './queries.ts';
import { lookupTexts } from './texts.ts';
import { namingOf, useUnsaved } from './use-unsaved.ts';

const VALUE_TYPES = ['NULL', 'STRING', 'NUMBER', 'BOOLEAN', 'OBJECT'];

export interface TableFormProps {
  /** Undefined: a new one. */
  readonly table: LookupTableView | undefined;
  readonly onDone: () => void;
}

/** A lookup table: which adapter and which cache, and what stands for keys without a value. */
export function TableForm({ table, onDone }: TableFormProps) {
  const { data: adapters, ...adaptersAsked } = useQuery(partChoicesQuery('adapters'));
  const { data: caches, ...cachesAsked } = useQuery(partChoicesQuery('caches'));
  const [naming, setNaming] = useState<Naming>(() => namingOf(table));
  const [isTried, setTried] = useState(false);
  const reason = usePermissionReason(
    table === undefined ? 'lookuptables:create' : 'lookuptables:edit',
    table?.id,
  );
  const save = useSaveTable(table?.id);
  const { isUnsaved, onValues } = useUnsaved(naming, table);
  if (adapters === undefined || caches === undefined) {
    const failed = [adaptersAsked, cachesAsked].find(({ error }) => error !== null);
    return failed && <ErrorNotice error={failed.error} onRetry={() => void failed.refetch()} />;
  }
  const submit = (values: FormValues) => {
    if (namingProblems(naming) !== undefined) return;
    // The form has all other fields of the request.
    const body = { ...table, ...values, ...naming, title: naming.title.trim() } as LookupTableRequest;
    save.mutate(body, {
      onSuccess: (saved) => {
        toast(lookupTexts.kinds.tables.saved(saved.title));
        onDone();
      },
    });
  };
  return (
    <div className={classes.card}>
      <LeaveQuestion
        isUnsaved={isUnsaved && !save.isPending}
        what={texts.leave(lookupTexts.kinds.tables.one)}
      />
      <SchemaForm
        fields={fieldsOf(adapters.parts.map(choiceOf), caches.parts.map(choiceOf))}
        {...(table === undefined ? {} : { stored: { ...table } })}
        submitLabel={table === undefined ? lookupTexts.create : lookupTexts.save}
        noSubmitReason={reason}
        isBusy={save.isPending}
        error={save.error}
        onTry={() => setTried(true)}
        onValues={onValues}
        onSubmit={submit}
        onCancel={onDone}
      >
        <NamingFields naming={naming} onChange={setNaming} isTried={isTried} isNew={table === undefined} />
      </SchemaForm>
    </div>
  );
}

function choiceOf({ id, title }: { readonly id: string; readonly title: string }): Choice {
  return { value: id, label: title };
}

function fieldsOf(adapters: readonly Choice[], caches: readonly Choice[]): FormField[] {
  const chosen = (name: string, label: string, choices: readonly Choice[]): FormField => ({
    name,
    kind: 'choice',
    label,
    help: '',
    defaultValue: undefined,
    isOptional: false,
    choices,
  });
  const group = lookupTexts.defaults;
  const fallback = { help: '', defaultValue: '', isOptional: true, choices: [], group };
  const types = VALUE_TYPES.map((value) => ({ value, label: value.toLowerCase() }));
  const type = { ...fallback, kind: 'choice' as const, defaultValue: 'NULL', choices: types };
  return [
    chosen('data_adapter_id', lookupTexts.adapter, adapters),
    chosen('cache_id', lookupTexts.cache, caches),
    { ...fallback, name: 'default_single_value', kind: 'text', label: lookupTexts.single },
    { ...type, name: 'default_single_value_type', label: lookupTexts.singleType },
    {
      ...fallback,
      name: 'default_multi_value',
      kind: 'textarea',
      label: lookupTexts.multi,
      help: lookupTexts.multiHelp,
    },
    { ...type, name: 'default_multi_value_type', label: lookupTexts.multiType },
  ];
}
