import { Tooltip } from '@mantine/core';
import { IconMinus, IconPlus, IconX } from '@tabler/icons-react';
import { type KeyboardEvent, useState } from 'react';
import classes from './clause-pills.module.css';

/** One clause of the query, or one that is switched off. */
export interface Pill {
  /** Without its NOT. */
  readonly text: string;
  readonly isNegated: boolean;
  readonly isOff: boolean;
}

export interface ClausePillsProps {
  readonly pills: readonly Pill[];
  readonly onFlip: (at: number) => void;
  /** Off if it is on, on if it is off. */
  readonly onSwitch: (at: number) => void;
  readonly onRemove: (at: number) => void;
  /** Returns false for a text that is no query. */
  readonly onEdit: (at: number, text: string) => boolean;
}

/** The clauses of the query as buttons: a view of its text, which every click edits. */
export function ClausePills({ pills, ...actions }: ClausePillsProps) {
  return (
    <ul className={classes.pills} aria-label="Clauses of the query">
      {pills.map((pill, at) => (
        <li key={`${pill.isOff} ${pill.isNegated} ${pill.text}`}>
          <PillView pill={pill} at={at} {...actions} />
        </li>
      ))}
    </ul>
  );
}

interface PillViewProps extends Omit<ClausePillsProps, 'pills'> {
  readonly pill: Pill;
  readonly at: number;
}

function PillView({ pill, at, onFlip, onSwitch, onRemove, onEdit }: PillViewProps) {
  const [isEditing, setEditing] = useState(false);
  const { text, isNegated, isOff } = pill;
  if (isEditing) {
    const done = (edited: string) => {
      const isDone = edited === text || onEdit(at, edited);
      if (isDone) setEditing(false);
      return isDone;
    };
    return <PillEditor text={text} onDone={done} onLeave={() => setEditing(false)} />;
  }
  const sign = isNegated ? 'Require' : 'Exclude';
  return (
    <span className={classes.pill} data-negated={isNegated} data-off={isOff}>
      <Tooltip label={isOff ? 'Switch on' : 'Switch off'}>
        <button
          type="button"
          className={classes.dot}
          aria-label={`${isOff ? 'Switch on' : 'Switch off'} ${text}`}
          aria-pressed={!isOff}
          onClick={() => onSwitch(at)}
        />
      </Tooltip>
      <Tooltip label={sign}>
        <button
          type="button"
          className={classes.sign}
          aria-label={`${sign} ${text}`}
          disabled={isOff}
          onClick={() => onFlip(at)}
        >
          {isNegated ? <IconMinus size={12} /> : <IconPlus size={12} />}
        </button>
      </Tooltip>
      <Tooltip label="Edit">
        <button
          type="button"
          className={classes.text}
          aria-label={`Edit ${text}`}
          disabled={isOff}
          onClick={() => setEditing(true)}
        >
          <bdi>{text}</bdi>
        </button>
      </Tooltip>
      <Tooltip label="Remove">
        <button
          type="button"
          className={classes.remove}
          aria-label={`Remove ${text}`}
          onClick={() => onRemove(at)}
        >
          <IconX size={12} />
        </button>
      </Tooltip>
    </span>
  );
}

interface PillEditorProps {
  readonly text: string;
  readonly onDone: (text: string) => boolean;
  readonly onLeave: () => void;
}

const MAX_WIDTH = 60;

function PillEditor({ text, onDone, onLeave }: PillEditorProps) {
  const [edited, setEdited] = useState(text);
  const [isWrong, setWrong] = useState(false);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') setWrong(!onDone(edited));
    if (event.key === 'Escape') onLeave();
    if (event.key === 'Enter' || event.key === 'Escape') event.stopPropagation();
  };
  return (
    <input
      className={classes.editor}
      aria-label={`Edit ${text}`}
      aria-invalid={isWrong}
      title={isWrong ? 'This is no query' : undefined}
      value={edited}
      size={Math.min(MAX_WIDTH, Math.max(8, edited.length + 1))}
      spellCheck={false}
      // biome-ignore lint/a11y/noAutofocus: it takes the place of the button that was pressed
      autoFocus
      onChange={(event) => {
        setWrong(false);
        setEdited(event.currentTarget.value);
      }}
      onKeyDown={onKeyDown}
      onBlur={onLeave}
    />
  );
}
