import type { ReactNode } from 'react';
import { ConfirmDeletion } from '../../../components/confirm-deletion.tsx';
import type { Column } from '../../../components/data-table.tsx';
import type { OpenRow } from '../../../components/open-row.tsx';
import { StateBadge } from '../../../components/state-badge.tsx';
import { DeleteButton } from '../delete-button.tsx';
import classes from '../pipelines.module.css';
import { texts } from '../texts.ts';
import type { Kind, LookupRow } from './kinds.ts';
import { useDelete } from './queries.ts';
import { lookupTexts } from './texts.ts';

export interface LookupColumnsOptions<Row> {
  readonly opened: OpenRow;
  /** What is wrong, by name; null: nothing. */
  readonly states: Readonly<Record<string, string | null>>;
  readonly about: { readonly title: string; readonly render: (row: Row) => ReactNode };
}

export function lookupColumns<Row extends LookupRow>(
  options: LookupColumnsOptions<Row>,
): readonly Column<Row>[] {
  const { opened, states, about } = options;
  return [
    {
      key: 'state',
      title: lookupTexts.state,
      width: '96px',
      render: ({ name }) =>
        states[name] === undefined ? null : (
          <StateBadge tone={states[name] === null ? 'ok' : 'danger'}>
            {states[name] === null ? lookupTexts.fine : lookupTexts.broken}
          </StateBadge>
        ),
    },
    {
      key: 'title',
      title: lookupTexts.titleLabel,
      isSortable: true,
      render: ({ id, title, description, name }) => (
        <>
          <button
            type="button"
            className={classes.open}
            title={lookupTexts.edit(title)}
            onClick={() => opened.edit(id)}
          >
            <bdi>{title}</bdi>
          </button>
          {description !== '' && <div className={classes.description}>{description}</div>}
          {typeof states[name] === 'string' && <div className={classes.problem}>{states[name]}</div>}
        </>
      ),
    },
    {
      key: 'name',
      title: lookupTexts.name,
      width: '192px',
      isMinor: true,
      isSortable: true,
      render: ({ name }) => <code className={classes.clip}>{name}</code>,
    },
    { key: 'about', title: about.title, width: '240px', isMinor: true, render: about.render },
    {
      key: 'actions',
      title: texts.columns.actions,
      width: '72px',
      isActions: true,
      render: ({ id, title }) => (
        <DeleteButton
          permission="lookuptables:delete"
          id={id}
          label={texts.deleteOne(title)}
          onClick={() => opened.askDelete(id)}
        />
      ),
    },
  ];
}

export interface DeleteLookupProps {
  readonly kind: Kind;
  readonly row: LookupRow;
  readonly onDone: () => void;
}

/** The server refuses to delete what a table uses. */
export function DeleteLookup({ kind, row: { id, title }, onDone }: DeleteLookupProps) {
  const { one, deleted } = lookupTexts.kinds[kind];
  const question = lookupTexts.deleteQuestion(one, title);
  return (
    <ConfirmDeletion
      question={kind === 'tables' ? `${question} ${lookupTexts.rulesFindNothing}` : question}
      action={lookupTexts.delete}
      remove={useDelete(kind)}
      id={id}
      deleted={deleted(title)}
      onDone={onDone}
      onCancel={onDone}
    />
  );
}
