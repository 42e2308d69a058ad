import { ActionIcon, CopyButton, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy, IconEqual, IconMinus, IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { FieldScalar } from '../lib/edit-query/index.ts';
import type { MarkRange } from '../lib/log-text/index.ts';
import classes from './field-value.module.css';
import { LevelLabel } from './level-label.tsx';
import { LogText } from './log-text.tsx';
import { Timestamp } from './timestamp.tsx';

/** What a click on a value does to the query. */
export interface ValueActions {
  readonly include: (field: string, value: FieldScalar) => void;
  readonly exclude: (field: string, value: FieldScalar) => void;
  readonly only: (field: string, value: FieldScalar) => void;
}

export interface FieldValueProps {
  readonly field: string;
  readonly value: FieldScalar;
  readonly marks?: readonly MarkRange[] | undefined;
  readonly actions: ValueActions;
  /** Names of streams, inputs and nodes in the place of their ids. */
  readonly titleOf?: ((field: string, value: FieldScalar) => string | undefined) | undefined;
}

const SHOWN_CHARACTERS = 20_000;

/** A value of a message with its menu: include, exclude, only this, copy. */
export function FieldValue({ field, value, marks, actions, titleOf }: FieldValueProps) {
  return (
    <span className={classes.value}>
      <Content field={field} value={value} marks={marks} title={titleOf?.(field, value)} />
      <span className={classes.actions}>
        <Action label={`Include ${field}`} onClick={() => actions.include(field, value)}>
          <IconPlus size={14} />
        </Action>
        <Action label={`Exclude ${field}`} onClick={() => actions.exclude(field, value)}>
          <IconMinus size={14} />
        </Action>
        <Action label={`Only this ${field}`} onClick={() => actions.only(field, value)}>
          <IconEqual size={14} />
        </Action>
        <CopyButton value={String(value)}>
          {({ copied, copy }) => (
            <Action label={copied ? 'Copied' : `Copy ${field}`} onClick={copy}>
              {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
            </Action>
          )}
        </CopyButton>
      </span>
    </span>
  );
}

interface ContentProps extends Pick<FieldValueProps, 'field' | 'value' | 'marks'> {
  readonly title: string | undefined;
}

function Content({ field, value, marks, title }: ContentProps) {
  if (title !== undefined) return <span title={String(value)}>{title}</span>;
  if (field === 'level' && typeof value === 'number') return <LevelLabel level={value} />;
  if (field === 'timestamp' && typeof value === 'string') {
    return <Timestamp value={value} precision="millisecond" />;
  }
  return <LogText text={String(value)} marks={marks} limit={SHOWN_CHARACTERS} />;
}

interface ActionProps {
  readonly label: string;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

function Action({ label, onClick, children }: ActionProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon className={classes.action} size={24} aria-label={label} onClick={onClick}>
        {children}
      </ActionIcon>
    </Tooltip>
  );
}
