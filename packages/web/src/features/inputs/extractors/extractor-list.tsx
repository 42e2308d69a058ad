import { ActionIcon } from '@mantine/core';
import type { ExtractorTypes, ExtractorView } from '@millrace/contract';
import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react';
import { useContext } from 'react';
import { ConfirmDeletion } from '../../../components/confirm-deletion.tsx';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { Disabled } from '../../../components/disabled.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { InlineNotice } from '../../../components/inline-notice.tsx';
import { LeaveScopeContext } from '../../../components/leave-question.tsx';
import { belowRow, useOpenRow } from '../../../components/open-row.tsx';
import { StateBadge } from '../../../components/state-badge.tsx';
import { formatCount } from '../../../lib/format/index.ts';
import { ExtractorForm } from './extractor-form.tsx';
import classes from './extractors.module.css';
import { useDeleteExtractor, useMoveExtractor } from './queries.ts';
import { extractorTexts as texts } from './texts.ts';

export interface ExtractorListProps {
  readonly inputId: string;
  /** Those that are shown. */
  readonly extractors: readonly ExtractorView[];
  /** The first of all, and the last of all: they cannot go further. */
  readonly ends: Ends;
  readonly types: ExtractorTypes;
  /** Why nothing can be changed; nothing when it can. */
  readonly reason: string | undefined;
  /** Why they stay in this order; nothing when it can be changed. */
  readonly orderReason: string | undefined;
}

interface Ends {
  readonly first: string | undefined;
  readonly last: string | undefined;
}

export function ExtractorList(props: ExtractorListProps) {
  const { inputId, extractors, ends, types, reason, orderReason } = props;
  const opened = useOpenRow(useContext(LeaveScopeContext));
  const move = useMoveExtractor(inputId);
  const below = (extractor: ExtractorView) => {
    const { id, type, disabled_reason } = extractor;
    const isKnown = types.types.some((known) => known.type === type);
    const shown = belowRow(opened, id, {
      question: () => <DeleteQuestion {...{ inputId, extractor }} onDone={opened.closeQuestion} />,
      form: () =>
        isKnown ? (
          <ExtractorForm
            {...{ inputId, types, extractor, reason }}
            order={extractor.order}
            onDone={opened.closeForm}
          />
        ) : (
          <InlineNotice kind="warn">{texts.unknownType(type)}</InlineNotice>
        ),
    });
    return (
      (shown !== undefined || disabled_reason !== null) && (
        <div className={classes.below}>
          {disabled_reason !== null && (
            <InlineNotice kind="warn">{texts.whyDisabled(disabled_reason)}</InlineNotice>
          )}
          {shown}
        </div>
      )
    );
  };
  return (
    <>
      {move.error !== null && <ErrorNotice error={move.error} />}
      <DataTable
        label={texts.title}
        rows={extractors}
        rowKey={({ id }) => id}
        columns={[
          ...describingColumns(types, opened.edit),
          actionsColumn({
            ends,
            reason,
            orderReason,
            isBusy: move.isPending,
            onMove: (id, by) => move.mutate({ id, by }),
            onDelete: opened.askDelete,
          }),
        ]}
        onOpen={({ id }) => opened.edit(id)}
        below={below}
      />
    </>
  );
}

function describingColumns(types: ExtractorTypes, onEdit: (id: string) => void): Column<ExtractorView>[] {
  return [
    {
      key: 'title',
      title: texts.columns.title,
      width: '30%',
      render: ({ id, title, disabled_reason }) => (
        <span className={classes.name}>
          <button type="button" className={classes.open} title={texts.edit(title)} onClick={() => onEdit(id)}>
            <bdi>{title}</bdi>
          </button>
          {disabled_reason !== null && <StateBadge tone="warn">{texts.doesNotRun}</StateBadge>}
        </span>
      ),
    },
    { key: 'reads', title: texts.columns.reads, render: (extractor) => <Reads {...{ extractor, types }} /> },
    {
      key: 'counts',
      title: texts.columns.counts,
      width: '112px',
      align: 'end',
      isMinor: true,
      render: ({ metrics }) => (
        <span title={texts.countsHelp}>{formatCount(metrics.execution.rate.total)}</span>
      ),
    },
    {
      key: 'problems',
      title: texts.columns.problems,
      width: '96px',
      align: 'end',
      isMinor: true,
      render: ({ exceptions, converter_exceptions }) => (
        <span className={exceptions + converter_exceptions > 0 ? classes.problem : undefined}>
          {formatCount(exceptions + converter_exceptions)}
        </span>
      ),
    },
  ];
}

function Reads({ extractor, types }: { readonly extractor: ExtractorView; readonly types: ExtractorTypes }) {
  const name = types.types.find(({ type }) => type === extractor.type)?.name ?? extractor.type;
  const condition = texts.condition(extractor);
  const converters = extractor.converters.map(
    ({ type }) => types.converters.find((known) => known.type === type)?.name ?? type,
  );
  return (
    <>
      <div className={classes.clip}>{texts.reads(name, extractor)}</div>
      {condition !== undefined && <div className={classes.more}>{condition}</div>}
      {converters.length > 0 && <div className={classes.more}>{texts.converted(converters)}</div>}
    </>
  );
}

interface ActionsColumn extends Pick<ExtractorListProps, 'ends' | 'reason' | 'orderReason'> {
  readonly isBusy: boolean;
  readonly onMove: (id: string, by: 1 | -1) => void;
  readonly onDelete: (id: string) => void;
}

function actionsColumn({
  ends,
  reason,
  orderReason,
  isBusy,
  onMove,
  onDelete,
}: ActionsColumn): Column<ExtractorView> {
  return {
    key: 'actions',
    title: texts.columns.actions,
    width: '112px',
    isActions: true,
    render: ({ id, title }) => (
      <span className={classes.actions}>
        <Disabled reason={reason ?? orderReason}>
          <ActionIcon
            aria-label={texts.up(title)}
            disabled={isBusy || ends.first === id}
            onClick={() => onMove(id, -1)}
          >
            <IconArrowUp size={16} />
          </ActionIcon>
        </Disabled>
        <Disabled reason={reason ?? orderReason}>
          <ActionIcon
            aria-label={texts.down(title)}
            disabled={isBusy || ends.last === id}
            onClick={() => onMove(id, 1)}
          >
            <IconArrowDown size={16} />
          </ActionIcon>
        </Disabled>
        <Disabled reason={reason}>
          <ActionIcon aria-label={texts.deleteOne(title)} onClick={() => onDelete(id)}>
            <IconTrash size={16} />
          </ActionIcon>
        </Disabled>
      </span>
    ),
  };
}

interface DeleteQuestionProps {
  readonly inputId: string;
  readonly extractor: ExtractorView;
  readonly onDone: () => void;
}

function DeleteQuestion({ inputId, extractor: { id, title }, onDone }: DeleteQuestionProps) {
  return (
    <ConfirmDeletion
      question={texts.deleteQuestion(title)}
      action={texts.delete}
      remove={useDeleteExtractor(inputId)}
      id={id}
      deleted={texts.deleted(title)}
      onDone={onDone}
      onCancel={onDone}
    />
  );
}
