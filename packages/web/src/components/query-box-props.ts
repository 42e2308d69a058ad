import type { QueryProblem } from '@millrace/query';
import type { Ref } from 'react';

export interface QueryEditorHandle {
  readonly focus: () => void;
}

/** What could stand at the cursor. */
export interface Suggestion {
  readonly kind: 'field' | 'value' | 'operator';
  readonly text: string;
  readonly label: string;
  readonly detail: string;
  readonly from: number;
  readonly to: number;
}

export interface QueryEditorProps {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
  /** Enter: the text as it stands there. */
  readonly onRun: (text: string) => void;
  /** Down, when there is no suggestion to go to. */
  readonly onDown?: () => void;
  /** A pasted text that is no query was put in quotes: the whole text without them, and with them. */
  readonly onQuoted?: (before: string, after: string) => void;
  readonly complete: (text: string, cursor: number, signal: AbortSignal) => Promise<readonly Suggestion[]>;
  readonly problems: readonly QueryProblem[];
  /** Id of the element that explains the query or says what is wrong with it. */
  readonly describedBy: string;
  readonly ref?: Ref<QueryEditorHandle>;
}

/** Where the cursor was in the plain box, if it had the focus: the rich one goes on from there. */
export interface Cursor {
  readonly anchor: number;
  readonly head: number;
}

export interface QueryBoxProps extends QueryEditorProps {
  readonly cursor: { current: Cursor | undefined };
}
