import { Button, FileButton, Textarea } from '@mantine/core';
import type { ExportedExtractor } from '@millrace/contract';
import { type FormEvent, useState } from 'react';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { InlineNotice } from '../../../components/inline-notice.tsx';
import { LeaveQuestion } from '../../../components/leave-question.tsx';
import { toast } from '../../../components/toast.ts';
import { readExport } from './export-file.ts';
import classes from './extractors.module.css';
import { useImportExtractors } from './queries.ts';
import { extractorTexts as texts } from './texts.ts';

export interface ImportFormProps {
  readonly inputId: string;
  readonly onDone: () => void;
}

/** Extractors of an export. Those that cannot work are left out, and said. */
export function ImportForm({ inputId, onDone }: ImportFormProps) {
  const [text, setText] = useState('');
  const importing = useImportExtractors(inputId);
  const found = readExport(text);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (found === undefined) return;
    // The server checks what they are.
    importing.mutate(found as ExportedExtractor[], {
      onSuccess: ({ imported, extractors }) => {
        toast(texts.imported(imported));
        if (imported === extractors.length) onDone();
      },
    });
  };
  const leftOut = importing.data?.extractors.filter(({ error }) => error !== null) ?? [];
  if (leftOut.length > 0) {
    return (
      <InlineNotice
        kind="warn"
        title={texts.leftOut(leftOut.length)}
        actions={<Button onClick={onDone}>{texts.close}</Button>}
      >
        <ul className={classes.leftOut}>
          {leftOut.map(({ title, error }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: titles need not differ
            <li key={at}>
              <bdi>{title}</bdi>: {error}
            </li>
          ))}
        </ul>
      </InlineNotice>
    );
  }
  return (
    <form className={classes.card} onSubmit={submit} noValidate>
      <LeaveQuestion isUnsaved={text !== '' && !importing.isPending} what={texts.leaveImport} />
      <Textarea
        label={texts.importLabel}
        description={texts.importAbout}
        placeholder={texts.importHint}
        classNames={{ input: 'mono' }}
        autosize
        minRows={4}
        maxRows={16}
        value={text}
        spellCheck={false}
        error={text.trim() !== '' && found === undefined ? texts.notAnExport : undefined}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {importing.error !== null && <ErrorNotice error={importing.error} />}
      <div className={classes.buttons}>
        <Button type="submit" variant="filled" loading={importing.isPending} disabled={found === undefined}>
          {texts.importCount(found?.length ?? 0)}
        </Button>
        <FileButton accept="application/json,.json" onChange={(file) => void file?.text().then(setText)}>
          {(props) => <Button {...props}>{texts.importFile}</Button>}
        </FileButton>
        <Button onClick={onDone}>{texts.cancel}</Button>
      </div>
    </form>
  );
}
