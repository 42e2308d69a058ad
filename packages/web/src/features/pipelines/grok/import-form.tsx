import { Button, FileButton, Select, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ConfirmInline } from '../../../components/confirm-inline.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { LeaveQuestion } from '../../../components/leave-question.tsx';
import { toast } from '../../../components/toast.ts';
import classes from '../pipelines.module.css';
import { readPatternFile } from './pattern-file.ts';
import { type PatternImport, patternCountQuery, useImportPatterns } from './queries.ts';
import { grokTexts } from './texts.ts';

const STRATEGIES = ['ABORT_ON_CONFLICT', 'REPLACE_ON_CONFLICT', 'DROP_ALL_EXISTING'] as const;

/** All patterns of a file, or of a pasted text; all of them or none. */
export function ImportForm({ onDone }: { readonly onDone: () => void }) {
  const [text, setText] = useState('');
  const [strategy, setStrategy] = useState<PatternImport['strategy']>('ABORT_ON_CONFLICT');
  const [isTried, setTried] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const importing = useImportPatterns();
  const { data: stored } = useQuery(patternCountQuery());
  const { patterns, wrongLine } = readPatternFile(text);
  const problem =
    wrongLine !== undefined
      ? grokTexts.wrongLine(wrongLine)
      : isTried && patterns.length === 0
        ? grokTexts.nothingToImport
        : undefined;
  const change = (next: string) => {
    setText(next);
    setAsking(false);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (wrongLine !== undefined || patterns.length === 0) return;
    if (strategy === 'DROP_ALL_EXISTING') setAsking(true);
    else send();
  };
  const send = () =>
    importing.mutate(
      { patterns, strategy },
      {
        onSuccess: () => {
          toast(grokTexts.imported(patterns.length));
          onDone();
        },
        onError: () => setAsking(false),
      },
    );
  return (
    <div className={classes.card}>
      <LeaveQuestion isUnsaved={text !== '' && !importing.isPending} what={grokTexts.notImported} />
      <form className={classes.column} onSubmit={submit} noValidate>
        <Textarea
          label={grokTexts.importLabel}
          description={grokTexts.importAbout}
          placeholder={grokTexts.importHint}
          classNames={{ input: 'mono' }}
          autosize
          minRows={4}
          maxRows={16}
          value={text}
          spellCheck={false}
          error={problem}
          onChange={(event) => change(event.currentTarget.value)}
        />
        <Select
          className={classes.strategy}
          label={grokTexts.strategy}
          data={STRATEGIES.map((value) => ({ value, label: grokTexts.strategies[value] }))}
          value={strategy}
          allowDeselect={false}
          onChange={(value) => {
            setStrategy(STRATEGIES.find((known) => known === value) ?? strategy);
            setAsking(false);
          }}
        />
        {importing.error !== null && <ErrorNotice error={importing.error} />}
        {!isAsking && (
          <div className={classes.buttons}>
            <Button type="submit" variant="filled" loading={importing.isPending}>
              {grokTexts.count(patterns.length)}
            </Button>
            <FileButton accept="text/plain,.txt,.grok" onChange={(file) => void file?.text().then(change)}>
              {(props) => <Button {...props}>{grokTexts.importFile}</Button>}
            </FileButton>
            <Button onClick={onDone}>{grokTexts.cancel}</Button>
          </div>
        )}
      </form>
      {isAsking && (
        <ConfirmInline
          question={grokTexts.dropQuestion(stored, patterns.length)}
          action={grokTexts.dropAll}
          isBusy={importing.isPending}
          onConfirm={send}
          onCancel={() => setAsking(false)}
        />
      )}
    </div>
  );
}
