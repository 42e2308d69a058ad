import { Button, Textarea, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { GrokPatternView } from '@millrace/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { Conflict, isConflict } from '../../../components/conflict.tsx';
import { Disabled, usePermissionReason } from '../../../components/disabled.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { LeaveQuestion } from '../../../components/leave-question.tsx';
import { toast } from '../../../components/toast.ts';
import { messageOf } from '../../../lib/api/index.ts';
import { fieldText } from '../../../lib/messages/index.ts';
import classes from '../pipelines.module.css';
import { texts } from '../texts.ts';
import { patternQuery, patternTestQuery, TRIED, useSavePattern } from './queries.ts';
import { grokTexts } from './texts.ts';

const TEST_AFTER_MS = 300;

export interface PatternFormProps {
  /** Undefined: a new one. */
  readonly pattern: GrokPatternView | undefined;
  readonly onDone: () => void;
}

/** One pattern, with a text to try it on while it is written. */
export function PatternForm({ pattern: first, onDone }: PatternFormProps) {
  const client = useQueryClient();
  // The form keeps what it began with: what others change meanwhile is met when it is saved.
  const [stored, setStored] = useState(first);
  const [name, setName] = useState(stored?.name ?? '');
  const [pattern, setPattern] = useState(stored?.pattern ?? '');
  const [isTried, setTried] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const reason = usePermissionReason(stored === undefined ? 'inputs:create' : 'inputs:edit');
  const save = useSavePattern(stored?.id);
  const isUnsaved = name !== (stored?.name ?? '') || pattern !== (stored?.pattern ?? '');
  const reload = async () => {
    const now = await client.fetchQuery({ ...patternQuery(stored?.id ?? ''), staleTime: 0 });
    setStored(now);
    setName(now.name);
    setPattern(now.pattern);
    save.reset();
    // The button that was pressed is gone.
    button.current?.focus();
  };
  const store = (revision: string | undefined) => {
    setTried(true);
    if (reason !== undefined || !/^\w+$/.test(name) || pattern === '') return;
    save.mutate(
      { name, pattern, revision },
      {
        onSuccess: (saved) => {
          toast(grokTexts.saved(saved.name));
          onDone();
        },
      },
    );
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    store(stored?.revision);
  };
  return (
    <form className={classes.card} onSubmit={submit} noValidate>
      <LeaveQuestion isUnsaved={isUnsaved && !save.isPending} what={texts.leave(grokTexts.one)} />
      <TextInput
        label={grokTexts.name}
        description={grokTexts.nameHelp}
        value={name}
        maxLength={100}
        readOnly={reason !== undefined}
        error={isTried && !/^\w+$/.test(name) ? grokTexts.nameWrong : undefined}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Textarea
        label={grokTexts.pattern}
        description={grokTexts.patternHelp}
        classNames={{ input: 'mono' }}
        autosize
        minRows={2}
        maxRows={8}
        value={pattern}
        maxLength={10_000}
        spellCheck={false}
        readOnly={reason !== undefined}
        error={isTried && pattern === '' ? grokTexts.patternMissing : undefined}
        onChange={(event) => setPattern(event.currentTarget.value)}
      />
      <PatternTester pattern={pattern} />
      <SaveProblem error={save.error} onReload={reload} onOverwrite={() => store(undefined)} />
      <div className={classes.buttons}>
        <Disabled reason={reason}>
          <Button ref={button} type="submit" variant="filled" loading={save.isPending}>
            {stored === undefined ? grokTexts.create : grokTexts.save}
          </Button>
        </Disabled>
        <Button onClick={onDone}>{grokTexts.cancel}</Button>
      </div>
    </form>
  );
}

interface SaveProblemProps {
  readonly error: Error | null;
  readonly onReload: () => Promise<void>;
  readonly onOverwrite: () => void;
}

function SaveProblem({ error, ...offers }: SaveProblemProps) {
  if (error === null) return null;
  return isConflict(error) ? <Conflict what={grokTexts.one} {...offers} /> : <ErrorNotice error={error} />;
}

function PatternTester({ pattern }: { readonly pattern: string }) {
  const [sample, setSample] = useState('');
  const [settled] = useDebouncedValue(sample, TEST_AFTER_MS);
  const [tried] = useDebouncedValue(pattern, TEST_AFTER_MS);
  const isAsked = settled !== '' && tried !== '';
  const { data, error } = useQuery({ ...patternTestQuery(tried, settled), enabled: isAsked });
  const found = Object.entries(data ?? {});
  return (
    <>
      <Textarea
        label={grokTexts.sample}
        placeholder={grokTexts.sampleHint}
        classNames={{ input: 'mono' }}
        autosize
        maxRows={6}
        value={sample}
        spellCheck={false}
        error={isAsked && error !== null ? messageOf(error) : undefined}
        onChange={(event) => setSample(event.currentTarget.value)}
      />
      {isAsked && error === null && data !== undefined && (
        <div role="status">
          {found.length === 0 ? (
            <p className={classes.quiet}>{grokTexts.notFound}</p>
          ) : (
            <dl className={classes.found} aria-label={grokTexts.found}>
              {found.map(([field, value]) => (
                <div key={field}>
                  <dt>{field === TRIED ? grokTexts.whole : field}</dt>
                  <dd>{fieldText(value)}</dd>
                </div>
              ))}
            </dl>
          )}
        </div>
      )}
    </>
  );
}
