import { useDebouncedValue } from '@mantine/hooks';
import type { IndexSetOutlook, IndexSetView } from '@millrace/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { ConfirmInline } from '../../components/confirm-inline.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { InlineNotice } from '../../components/inline-notice.tsx';
import { SchemaForm } from '../../components/schema-form.tsx';
import { ApiError } from '../../lib/api/index.ts';
import { formatBytes } from '../../lib/format/index.ts';
import { type FormValues, initialValues } from '../../lib/forms/index.ts';
import classes from './index-sets.module.css';
import { askOutlook, outlookQuery } from './queries.ts';
import { errorInForm, type Strategies, setFields, storedValues, strategiesRequest } from './set-fields.ts';
import { texts } from './texts.ts';
import { effectSentence, outlookSentence } from './words.ts';

/** What the form gives: everything that people can edit; strategies only when they are new or changed. */
export type SetDraft = Partial<ReturnType<typeof strategiesRequest>> & {
  readonly title: string;
  readonly description: string;
  readonly index_prefix: string;
};

type Store = (draft: SetDraft) => void | Promise<void>;

/** What is to be stored, and how. */
interface Asked {
  readonly draft: SetDraft;
  readonly store: Store;
}

export interface SetFormProps {
  /** Without one, something new is made. */
  readonly set?: IndexSetView;
  readonly strategies: Strategies;
  readonly noSubmitReason: string | undefined;
  readonly error: Error | null;
  readonly isBusy: boolean;
  readonly isSaved: boolean;
  readonly onSubmit: (draft: SetDraft) => void;
  /** What is offered when somebody else has changed it meanwhile. */
  readonly conflict?: {
    readonly onReload: () => Promise<void>;
    readonly onOverwrite: Store;
  };
  /** It stands where another one was sent from. */
  readonly isAgain?: boolean;
  readonly onCancel?: () => void;
}

/** Title, strategies with their fields, and beside them what they mean for what is stored. */
export function SetForm(props: SetFormProps) {
  const { set, strategies, conflict } = props;
  const fields = useMemo(() => setFields(strategies, set), [strategies, set]);
  const stored = useMemo(() => (set === undefined ? undefined : storedValues(set)), [set]);
  const [values, setValues] = useState<FormValues>(() => initialValues(fields, stored));
  const complete = (given: FormValues) => ({ ...initialValues(fields, stored), ...given });
  const isTypedSince = useRef(false);
  const [asking, setAsking] = useState<Asked & { readonly outlook: IndexSetOutlook }>();
  const error = useErrorInForm(props.error, values);
  // Asked at the last moment: what would be deleted grows while somebody types.
  const check = useMutation({
    mutationFn: async ({ draft, store }: Asked) => {
      const { title: _title, description: _description, index_prefix: _prefix, ...request } = draft;
      return { draft, store, outlook: await askOutlook(set?.id, request) };
    },
    onSuccess: (asked) => {
      const isLossy = asked.outlook.retention === 'delete' && asked.outlook.affected.indices.length > 0;
      if (!isLossy) return asked.store(asked.draft);
      // The question is about what stands in the form.
      if (!isTypedSince.current) setAsking(asked);
      return undefined;
    },
  });
  const confirm = useMutation({ mutationFn: async ({ draft, store }: Asked) => store(draft) });
  const submit = async (given: FormValues, store: Store): Promise<void> => {
    setAsking(undefined);
    isTypedSince.current = false;
    const wanted = strategiesRequest(complete(given), strategies);
    const names = namesOf(complete(given));
    // A title deletes nothing, and can be saved while the message storage is away.
    if (set !== undefined && isSame(wanted, strategiesRequest(complete({}), strategies))) return store(names);
    await check.mutateAsync({ draft: { ...wanted, ...names }, store });
  };
  const checkError = useErrorInForm(check.error, values);
  return (
    <div className={classes.columns}>
      <div className={classes.fields}>
        <SchemaForm
          fields={fields}
          stored={stored}
          submitLabel={set === undefined ? texts.create : texts.save}
          noSubmitReason={props.noSubmitReason}
          // What went wrong stands in the form.
          onSubmit={(given) => void submit(given, props.onSubmit).catch(() => undefined)}
          conflict={
            conflict && {
              what: texts.oneSet,
              onReload: conflict.onReload,
              onOverwrite: (given) => submit(given, conflict.onOverwrite),
            }
          }
          isAgain={props.isAgain ?? false}
          onValues={(given) => {
            setValues(complete(given));
            setAsking(undefined);
            isTypedSince.current = true;
          }}
          onCancel={props.onCancel}
          leave={{ what: texts.unsaved, isSaved: props.isSaved }}
          isBusy={props.isBusy || check.isPending}
          error={error ?? checkError}
        />
        {asking !== undefined && (
          <ConfirmInline
            question={texts.saveQuestion(effectSentence(asking.outlook) ?? '')}
            action={texts.saveDeletes}
            typeToConfirm={set?.index_prefix ?? ''}
            isBusy={props.isBusy}
            onConfirm={() => {
              setAsking(undefined);
              confirm.mutate(asking);
            }}
            onCancel={() => setAsking(undefined)}
          />
        )}
        {confirm.error !== null && <ErrorNotice error={confirm.error} />}
      </div>
      <OutlookPanel id={set?.id} request={strategiesRequest(values, strategies)} />
    </div>
  );
}

/** It is about what was sent: what is typed afterwards makes no new error of it. */
function useErrorInForm(error: Error | null, values: FormValues): Error | null {
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  return useMemo(() => errorInForm(error, values), [error]);
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

function namesOf(values: FormValues) {
  return {
    title: String(values.title ?? '').trim(),
    description: String(values.description ?? ''),
    index_prefix: String(values.index_prefix ?? '').trim(),
  };
}

const PREVIEW_AFTER_MS = 300;
const BAD_REQUEST = 400;

interface OutlookPanelProps {
  readonly id: string | undefined;
  readonly request: ReturnType<typeof strategiesRequest>;
}

function OutlookPanel({ id, request }: OutlookPanelProps) {
  const [asked] = useDebouncedValue(request, PREVIEW_AFTER_MS);
  const { data, error, refetch } = useQuery(outlookQuery(id, asked));
  // The form says what is missing, beside the field.
  const isIncomplete = error instanceof ApiError && error.status === BAD_REQUEST;
  const effect = data === undefined ? undefined : effectSentence(data);
  return (
    <section className={classes.preview} aria-label={texts.preview}>
      <h2>{texts.preview}</h2>
      {isIncomplete && <p className={classes.dim}>{texts.incomplete}</p>}
      {error !== null && !isIncomplete && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {data !== undefined && error === null && (
        <>
          <p role="status" className={classes.sentence}>
            {outlookSentence(data)}
          </p>
          {data.messages_per_day > 0 && (
            <p className={classes.dim}>
              {texts.perDay(data.messages_per_day, formatBytes(data.bytes_per_day))}
            </p>
          )}
          {effect !== undefined && <InlineNotice kind="warn">{effect}</InlineNotice>}
        </>
      )}
      <p className={classes.dim}>{texts.previewAbout}</p>
    </section>
  );
}
