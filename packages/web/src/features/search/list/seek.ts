import type { Direction, Severity } from '../../../components/log-list/list-keys.ts';
import { call } from '../../../lib/api/index.ts';
import { addClause } from '../../../lib/edit-query/index.ts';
import { fromFound, messageKey } from '../../../lib/messages/index.ts';
import { type Run, searchedOf } from '../run.ts';
import { runFrom } from './use-messages.ts';

const LEVELS: Readonly<Record<Severity, string>> = { error: 'level:(0 OR 2 OR 3)', warning: 'level:4' };

export interface SoughtMessage {
  readonly key: string;
  readonly timestamp: number;
}

/** What of the run is loaded. */
export interface LoadedPart {
  /** Where the list starts; 0 for the beginning of the run. */
  readonly at: number;
  /** Of the last page; undefined when everything is loaded. */
  readonly cursor: string | undefined;
}

/** The next error or warning that is not loaded, in the order of the list. One search for one message. */
export async function seek(
  run: Run,
  severity: Severity,
  direction: Direction,
  loaded: LoadedPart,
): Promise<SoughtMessage | undefined> {
  const query = addClause(run.query, LEVELS[severity]);
  const beyond = direction > 0 ? after(run, loaded) : before(run, loaded);
  if (beyond === undefined) return undefined;
  const { messages } = await call('POST /messages/search', {
    body: { ...beyond, query, fields: ['timestamp'], limit: 1 },
  });
  const [found] = messages.map(fromFound);
  return found && { key: messageKey(found), timestamp: found.timestamp };
}

/** The cursor stands behind the last loaded message, also among those of the same moment. */
function after(run: Run, { at, cursor }: LoadedPart) {
  return cursor === undefined ? undefined : { ...searchedOf(runFrom(run, at)), sort: run.sort, cursor };
}

/** The list has all messages of the moment it starts at. */
function before(run: Run, { at }: LoadedPart) {
  if (at === 0) return undefined;
  const isDescending = run.sort.endsWith(':desc');
  const { from, to } = run.span;
  const span = isDescending ? { from: at + 1, to } : { from, to: at - 1 };
  if (span.from > span.to) return undefined;
  return { ...searchedOf({ ...run, span }), sort: isDescending ? 'timestamp:asc' : 'timestamp:desc' };
}
