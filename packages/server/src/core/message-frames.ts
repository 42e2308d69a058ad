import type { FieldLayout } from './field-layout.ts';
import type { FieldValue } from './field-value.ts';

/**
 * Frames whose messages nobody has looked at yet. A message knows its row here, and reads its texts and fields when somebody
 * asks for them. Storage takes what it needs out of many rows at once.
 *
 * Valid until the next batch is decoded: whoever keeps a message longer detaches it first (`Message.detach`). After
 * that every call throws, since what would be read belongs to other messages.
 */
export interface MessageFrames {
  text(row: number): string;
  fullText(row: number): string | undefined;
  /** The value of an additional field, by its position in the layout. */
  value(row: number, position: number): FieldValue | undefined;
  values(row: number): (FieldValue | undefined)[];
  shape(row: number): FrameShape;
  /** The texts and fields of rows, as columns. Valid until the next call. */
  stage(rows: ArrayLike<number>, count: number): StagedRows;
}

/** What frames with the same keys and types of values have in common. */
export interface FrameShape {
  readonly layout: FieldLayout;
  /** The type of the value at each position of the layout. */
  readonly types: Uint8Array;
}

/** Types of values, by their numbers in ClickHouse's list of types as storage writes it; `none` has no value and no number there. */
export const STAGED_TYPE = { number: 0, text: 2, boolean: 3, none: 4 } as const;

/** Columns of ClickHouse's Native format. Rows are numbered from 0 in the order in which they were staged. */
export interface StagedRows {
  readonly count: number;
  /** Texts with their lengths, as `JoinedTextColumn` joins them. */
  readonly texts: Uint8Array;
  readonly messageLengths: Uint32Array;
  /** 0 where there is none. */
  readonly fullMessageLengths: Uint32Array;
  readonly fields: readonly StagedField[];
}

export interface StagedField {
  readonly name: string;
  /** Which rows have it, ascending, and of which type it is there. */
  readonly rows: Uint32Array;
  readonly types: Uint8Array;
  /** The values of each type. Texts have their lengths before them. */
  readonly texts: Uint8Array;
  readonly numbers: Float64Array;
  readonly booleans: Uint8Array;
}
