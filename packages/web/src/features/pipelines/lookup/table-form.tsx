import type { LookupTableRequest, LookupTableView } from '@millrace/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { usePermissionReason } from '../../../components/disabled.tsx';
import { SchemaForm } from '../../../components/schema-form.tsx';
import { toast } from '../../../components/toast.ts';
import { type FormField, type FormValues, isSame } from '../../../lib/forms/index.ts';
import classes from '../pipelines.module.css';
import { texts } from '../texts.ts';
import { type Naming, NamingFields, namingOf, namingProblems } from './naming-fields.tsx';
import { PartPicker } from './part-picker.tsx';
import { tableQuery, useSaveTable } from './queries.ts';
import { lookupTexts } from './texts.ts';

const VALUE_TYPES = ['NULL', 'STRING', 'NUMBER', 'BOOLEAN', 'OBJECT'];

export interface TableFormProps {
  /** Undefined: a new one. */
  readonly table: LookupTableView | undefined;
  readonly onDone: () => void;
}

/** A lookup table: which adapter and which cache, and what stands for keys without a value. */
export function TableForm({ table, onDone }: TableFormProps) {
  // The form keeps what it began with: what others change meanwhile is met when it is saved.
  const [base, setBase] = useState({ table, round: 0 });
  return (
    <StartedForm
      key={base.round}
      table={base.table}
      isAgain={base.round > 0}
      onTable={(now) => setBase(({ round }) => ({ table: now, round: round + 1 }))}
      onDone={onDone}
    />
  );
}

interface StartedFormProps extends TableFormProps {
  /** It was read again: the focus goes to its button. */
  readonly isAgain: boolean;
  /** It was read again: another form begins with that. */
  readonly onTable: (table: LookupTableView | undefined) => void;
}

function StartedForm({ table, isAgain, onTable, onDone }: StartedFormProps) {
  const client = useQueryClient();
  const [adapterId, setAdapterId] = useState(table?.data_adapter_id ?? '');
  const [cacheId, setCacheId] = useState(table?.cache_id ?? '');
  const [naming, setNaming] = useState<Naming>(() => namingOf(table));
  const [isTried, setTried] = useState(false);
  const reason = usePermissionReason(
    table === undefined ? 'lookuptables:create' : 'lookuptables:edit',
    table?.id,
  );
  const save = useSaveTable(table?.id);
  const hasOtherParts = adapterId !== (table?.data_adapter_id ?? '') || cacheId !== (table?.cache_id ?? '');
  const needed = (id: string) => (isTried && id === '' ? lookupTexts.needed : undefined);
  const reload = async () => {
    const read = await client.fetchQuery({ ...tableQuery(table?.id ?? ''), staleTime: 0 });
    onTable(read.lookup_tables[0]);
  };
  const submit = (values: FormValues, revision: string | undefined) => {
    // The form has all other fields of the request.
    const body = {
      ...table,
      ...values,
      revision,
      ...naming,
      title: naming.title.trim(),
      data_adapter_id: adapterId,
      cache_id: cacheId,
    } as LookupTableRequest;
    save.mutate(body, {
      onSuccess: (saved) => {
        toast(lookupTexts.kinds.tables.saved(saved.title));
        onDone();
      },
    });
  };
  return (
    <div className={classes.card}>
      <SchemaForm
        fields={FIELDS}
        {...(table === undefined ? {} : { stored: { ...table } })}
        submitLabel={table === undefined ? lookupTexts.create : lookupTexts.save}
        noSubmitReason={reason}
        isBusy={save.isPending}
        isAgain={isAgain}
        error={save.error}
        conflict={{
          what: lookupTexts.kinds.tables.one,
          onReload: reload,
          onOverwrite: (values) => submit(values, undefined),
        }}
        onTry={() => setTried(true)}
        isIncomplete={namingProblems(naming) !== undefined || adapterId === '' || cacheId === ''}
        leave={{
          what: texts.leave(lookupTexts.kinds.tables.one),
          isChanged: hasOtherParts || !isSame(naming, namingOf(table)),
          isSaved: save.isSuccess,
        }}
        onSubmit={(values) => submit(values, table?.revision)}
        onCancel={onDone}
      >
        <NamingFields
          {...{ naming, isTried }}
          onChange={setNaming}
          error={save.error}
          isNew={table === undefined}
        />
        <PartPicker
          kind="adapters"
          label={lookupTexts.adapter}
          value={adapterId}
          problem={needed(adapterId)}
          onChange={setAdapterId}
        />
        <PartPicker
          kind="caches"
          label={lookupTexts.cache}
          value={cacheId}
          problem={needed(cacheId)}
          onChange={setCacheId}
        />
      </SchemaForm>
    </div>
  );
}

const FALLBACK = { help: '', defaultValue: '', isOptional: true, choices: [], group: lookupTexts.defaults };
const TYPE = {
  ...FALLBACK,
  kind: 'choice' as const,
  defaultValue: 'NULL',
  choices: VALUE_TYPES.map((value) => ({ value, label: value.toLowerCase() })),
};
const FIELDS: readonly FormField[] = [
  { ...FALLBACK, name: 'default_single_value', kind: 'text', label: lookupTexts.single },
  { ...TYPE, name: 'default_single_value_type', label: lookupTexts.singleType },
  {
    ...FALLBACK,
    name: 'default_multi_value',
    kind: 'textarea',
    label: lookupTexts.multi,
    help: lookupTexts.multiHelp,
  },
  { ...TYPE, name: 'default_multi_value_type', label: lookupTexts.multiType },
];
