import type { ReactNode } from 'react';
import type { LogMessage } from '../../lib/messages/index.ts';
import type { LogColumn } from './columns.ts';
import type { ColumnActions } from './list-head.tsx';
import type { Direction, Severity } from './list-keys.ts';

export interface LogListProps {
  readonly label: string;
  readonly messages: readonly LogMessage[];
  /** Which list this is: another one is shown from its top. */
  readonly listKey?: string;
  /** All that were found, of which some are loaded. */
  readonly total: number;
  readonly columns: readonly LogColumn[];
  /** `timestamp:desc`. */
  readonly sort?: string;
  readonly columnActions?: ColumnActions | undefined;
  /** Of the row that is open, as `messageKey` writes it. */
  readonly expanded?: string;
  readonly onExpand?: (key: string) => void;
  readonly renderDetail?: ((message: LogMessage) => ReactNode) | undefined;
  /** The end of what is loaded comes near. */
  readonly onNearEnd?: () => void;
  /** The first and the last row in sight. */
  readonly onVisible?: ((first: number, last: number) => void) | undefined;
  readonly isWrapped: boolean;
  readonly isCompact: boolean;
  /** Two lines for each message instead of columns. */
  readonly isNarrow: boolean;
  /** The range goes over several days, so the time of day is not enough. */
  readonly hasDates: boolean;
  readonly isStale?: boolean;
  /** More of this list is on its way, before what can be fetched beyond its end. */
  readonly isPartial?: boolean;
  /** A row that is pointed out, as `messageKey` writes it. */
  readonly pointedOut?: string;
  /** A row to go to, as soon as it is loaded. */
  readonly focusOn?: string | undefined;
  readonly isMarked?: ((message: LogMessage) => boolean) | undefined;
  readonly hasMarks?: boolean;
  readonly onMark?: ((message: LogMessage) => void) | undefined;
  readonly onCopy?: ((message: LogMessage) => void) | undefined;
  /** The next error or warning is not loaded. */
  readonly onSeek?: ((severity: Severity, direction: Direction) => void) | undefined;
  /** Text that is looked for, and the rows that have it. */
  readonly find?: string;
  readonly hits?: readonly number[];
  /** The colour that a rule gives to a message: 1 to 8. */
  readonly highlightOf?: ((message: LogMessage) => number | undefined) | undefined;
  /** The keys of the page walk this list: false for a list inside of another. */
  readonly hasKeys?: boolean;
  /** Stays at the last row while it is in sight. */
  readonly isFollowing?: boolean;
  /** Whether the last row came out of sight or into it. */
  readonly onFollowChange?: (isAtEnd: boolean) => void;
  /** Below the last row. */
  readonly footer?: ReactNode;
}
