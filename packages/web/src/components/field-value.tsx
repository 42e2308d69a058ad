import { Button, CopyButton } from '@mantine/core';
import {
  IconCheck,
  IconCopy,
  IconEqual,
  IconExternalLink,
  IconHighlight,
  IconMinus,
  IconPlus,
} from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import type { FieldScalar } from '../lib/edit-query/index.ts';
import { formatCount } from '../lib/format/index.ts';
import type { MarkRange } from '../lib/log-text/index.ts';
import { TIME_FIELDS } from '../lib/messages/index.ts';
import classes from './field-value.module.css';
import { IconTool } from './icon-tool.tsx';
import { LevelLabel } from './level-label.tsx';
import { LogText } from './log-text.tsx';
import { Timestamp } from './timestamp.tsx';

/** What a click on a value does to the query. */
export interface ValueActions {
  readonly include: (field: string, value: FieldScalar) => void;
  readonly exclude: (field: string, value: FieldScalar) => void;
  readonly only: (field: string, value: FieldScalar) => void;
  /** Colours the messages that have it. */
  readonly highlight?: ((field: string, value: FieldScalar) => void) | undefined;
}

/** Another system that knows more about a value. */
export interface ValueLink {
  readonly title: string;
  readonly url: string;
}

export interface FieldValueProps {
  readonly field: string;
  readonly value: FieldScalar;
  readonly marks?: readonly MarkRange[] | undefined;
  readonly actions: ValueActions;
  /** Names of streams, inputs and nodes in the place of their ids. */
  readonly titleOf?: ((field: string, value: FieldScalar) => string | undefined) | undefined;
  readonly linksOf?: ((field: string, value: FieldScalar) => readonly ValueLink[]) | undefined;
  /** The keys + - = mean this one. */
  readonly isChosen?: boolean;
}

const SHOWN_CHARACTERS = 20_000;
/** Fields whose value says which messages belong together. */
const TOGETHER = /(?:trace|request|correlation|transaction|session|span|order)[._-]?id$/i;

/** A value of a message with its menu: include, exclude, only this, copy. */
export function FieldValue(props: FieldValueProps) {
  'use memo';
  const { field, value, marks, actions, titleOf, linksOf, isChosen = false } = props;
  const frame = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (isChosen) frame.current?.scrollIntoView({ block: 'nearest' });
  }, [isChosen]);
  const { highlight } = actions;
  return (
    <span ref={frame} className={classes.value} data-chosen={isChosen}>
      <Content field={field} value={value} marks={marks} title={titleOf?.(field, value)} />
      {TOGETHER.test(field) && (
        <Button size="compact-xs" onClick={() => actions.only(field, value)}>
          All with this {field}
        </Button>
      )}
      {linksOf?.(field, value).map(({ title, url }) => (
        <Button
          key={url}
          size="compact-xs"
          component="a"
          href={url}
          target="_blank"
          rel="noopener noreferrer"
          rightSection={<IconExternalLink size={14} />}
        >
          {title}
        </Button>
      ))}
      <span className={classes.actions}>
        <IconTool
          className={classes.action}
          label={`Include ${field}`}
          onClick={() => actions.include(field, value)}
        >
          <IconPlus size={14} />
        </IconTool>
        <IconTool
          className={classes.action}
          label={`Exclude ${field}`}
          onClick={() => actions.exclude(field, value)}
        >
          <IconMinus size={14} />
        </IconTool>
        <IconTool
          className={classes.action}
          label={`Only this ${field}`}
          onClick={() => actions.only(field, value)}
        >
          <IconEqual size={14} />
        </IconTool>
        {highlight !== undefined && (
          <IconTool
            className={classes.action}
            label={`Highlight ${field}`}
            onClick={() => highlight(field, value)}
          >
            <IconHighlight size={14} />
          </IconTool>
        )}
        <CopyButton value={String(value)}>
          {({ copied, copy }) => (
            <IconTool className={classes.action} label={copied ? 'Copied' : `Copy ${field}`} onClick={copy}>
              {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
            </IconTool>
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
  'use memo';
  const [isWhole, setWhole] = useState(false);
  if (title !== undefined) return <span title={String(value)}>{title}</span>;
  if (field === 'level' && typeof value === 'number') return <LevelLabel level={value} />;
  if (TIME_FIELDS.has(field) && typeof value === 'string') {
    return <Timestamp value={value} precision="millisecond" />;
  }
  const text = String(value);
  const isCut = text.length > SHOWN_CHARACTERS && !isWhole;
  return (
    <>
      <LogText text={text} marks={marks} limit={isCut ? SHOWN_CHARACTERS : undefined} />
      {isCut && (
        <Button size="compact-xs" onClick={() => setWhole(true)}>
          Show all {formatCount(text.length)} characters
        </Button>
      )}
    </>
  );
}
