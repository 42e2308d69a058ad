import { Button } from '@mantine/core';
import type { GrokPatternView } from '@millrace/contract';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmDeletion } from '../../../components/confirm-deletion.tsx';
import type { Column } from '../../../components/data-table.tsx';
import { Disabled, usePermissionReason } from '../../../components/disabled.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { LeaveScopeContext, useLeaveScope } from '../../../components/leave-question.tsx';
import { belowRow, useOpenRow } from '../../../components/open-row.tsx';
import { useShortcuts } from '../../../lib/keys/index.ts';
import { DeleteButton } from '../delete-button.tsx';
import { PagedList, usePagedList } from '../paged-list.tsx';
import classes from '../pipelines.module.css';
import { Section } from '../section.tsx';
import { texts } from '../texts.ts';
import { ImportForm } from './import-form.tsx';
import { PatternForm } from './pattern-form.tsx';
import { patternPageQuery, useDeletePattern } from './queries.ts';
import { grokTexts } from './texts.ts';

type Opened = 'new' | 'import' | undefined;

export function GrokPage() {
  const [opened, setOpened] = useState<Opened>();
  const reason = usePermissionReason('inputs:create');
  const scope = useLeaveScope();
  const open = (wanted: Opened) => wanted !== opened && scope.leave(() => setOpened(wanted));
  const create = () => open('new');
  useShortcuts(
    reason === undefined
      ? [{ keys: 'n', label: grokTexts.newPattern, group: grokTexts.title, run: create }]
      : [],
  );
  const actions = (
    <>
      <Disabled reason={reason}>
        <Button onClick={() => open('import')}>{grokTexts.import}</Button>
      </Disabled>
      <Disabled reason={reason}>
        <Button variant="filled" leftSection={<IconPlus size={16} />} onClick={create}>
          {grokTexts.newPattern}
        </Button>
      </Disabled>
    </>
  );
  const close = () => setOpened(undefined);
  return (
    <Section section="grok" actions={actions}>
      <LeaveScopeContext value={scope}>
        {opened === 'new' && <PatternForm pattern={undefined} onDone={close} />}
        {opened === 'import' && <ImportForm onDone={close} />}
      </LeaveScopeContext>
      <Patterns />
    </Section>
  );
}

function Patterns() {
  const list = usePagedList('/pipelines/grok');
  const result = useQuery(patternPageQuery(list.values));
  const opened = useOpenRow();
  return (
    <PagedList
      texts={grokTexts}
      list={list}
      result={result}
      rows={result.data?.patterns}
      total={result.data?.total}
      columns={columnsOf(opened.edit, opened.askDelete)}
      rowKey={({ id }) => id}
      onOpen={({ id }) => opened.edit(id)}
      below={(pattern) =>
        belowRow(opened, pattern.id, {
          question: () => <DeletePattern pattern={pattern} onDone={opened.closeQuestion} />,
          form: () => <PatternForm pattern={pattern} onDone={opened.closeForm} />,
        })
      }
      empty={<EmptyState title={grokTexts.empty}>{grokTexts.emptyWhy}</EmptyState>}
    />
  );
}

function columnsOf(
  onEdit: (id: string) => void,
  onDelete: (id: string) => void,
): readonly Column<GrokPatternView>[] {
  return [
    {
      key: 'name',
      title: grokTexts.name,
      width: '240px',
      isSortable: true,
      render: ({ id, name }) => (
        <button
          type="button"
          className={classes.open}
          title={grokTexts.edit(name)}
          onClick={() => onEdit(id)}
        >
          {name}
        </button>
      ),
    },
    {
      key: 'pattern',
      title: grokTexts.pattern,
      isSortable: true,
      render: ({ pattern }) => <code className={classes.clip}>{pattern}</code>,
    },
    {
      key: 'actions',
      title: texts.columns.actions,
      width: '72px',
      isActions: true,
      render: ({ id, name }) => (
        <DeleteButton permission="inputs:edit" label={texts.deleteOne(name)} onClick={() => onDelete(id)} />
      ),
    },
  ];
}

interface DeletePatternProps {
  readonly pattern: GrokPatternView;
  readonly onDone: () => void;
}

/** The server names what uses it, and refuses then. */
function DeletePattern({ pattern: { id, name }, onDone }: DeletePatternProps) {
  return (
    <ConfirmDeletion
      question={grokTexts.deleteQuestion(name)}
      action={grokTexts.delete}
      remove={useDeletePattern()}
      id={id}
      deleted={grokTexts.deleted(name)}
      onDone={onDone}
      onCancel={onDone}
    />
  );
}
