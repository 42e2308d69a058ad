import type { FoundMessageView, MessageResultView } from '@millrace/contract';
import type { MarkRange } from '../log-text/index.ts';
import { parseInstant } from '../time/index.ts';

/** A stored message as lists and details show it. */
export interface LogMessage {
  readonly id: string;
  /** Undefined for a message that was followed live: it is not known where it will be stored. */
  readonly index: string | undefined;
  readonly timestamp: number;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly marks: Readonly<Record<string, readonly MarkRange[]>>;
}

const NO_MARKS = {};

export function fromFound({ message, index, highlight_ranges }: FoundMessageView): LogMessage {
  return { ...fromFields(message), index, marks: highlight_ranges ?? NO_MARKS };
}

/** The fields of a message, `_id` among them. */
export function fromFields(fields: Readonly<Record<string, unknown>>): LogMessage {
  const { _id, ...rest } = fields;
  return {
    id: String(_id),
    index: undefined,
    timestamp: parseInstant(String(rest.timestamp)) ?? 0,
    fields: rest,
    marks: NO_MARKS,
  };
}

export function fromResult({ message, index, highlight_ranges }: MessageResultView): LogMessage {
  return {
    id: message.id,
    index,
    timestamp: parseInstant(message.timestamp) ?? 0,
    fields: message.fields,
    marks: highlight_ranges ?? NO_MARKS,
  };
}

/** `index/id`: how a URL names a message. */
export function messageKey({ index, id }: Pick<LogMessage, 'index' | 'id'>): string {
  return `${index ?? ''}/${id}`;
}

export function levelOf({ fields }: LogMessage): number | undefined {
  const { level } = fields;
  return typeof level === 'number' ? level : undefined;
}

/** Errors are levels 0, 2 and 3: level 1 is also what has no level. */
export function isErrorLevel(level: number | undefined): boolean {
  return level !== undefined && level <= 3 && level !== 1;
}

export function isWarningLevel(level: number | undefined): boolean {
  return level === 4;
}
