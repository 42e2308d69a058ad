/**
 * How far the clocks of nodes are apart. Each node compares its clock with that of the database at every heartbeat, and
 * tells the others with the next one. Two clocks are compared by way of the database's.
 */

/** The clock of a node compared with that of the database. */
export interface ClockOffset {
  /** How far the node is ahead; negative if it is behind. */
  readonly offsetMs: number;
  /** How wrong that may be: the time of the database is of some moment between question and answer. */
  readonly errorMs: number;
}

/** `asked` and `answered` by the clock of the node, `database` by that of the database. */
export function clockOffset(asked: number, answered: number, database: number): ClockOffset {
  return {
    offsetMs: Math.round((asked + answered) / 2 - database),
    // The database's time is in whole milliseconds, and so is ours.
    errorMs: Math.ceil((answered - asked) / 2) + 1,
  };
}

/** As it is in the details of a heartbeat. */
export const CLOCK_DETAIL = 'clock';

export function readClockOffset(details: Readonly<Record<string, unknown>>): ClockOffset | undefined {
  const clock = details[CLOCK_DETAIL] as Partial<ClockOffset> | null | undefined;
  if (typeof clock?.offsetMs !== 'number' || typeof clock.errorMs !== 'number') return undefined;
  return { offsetMs: clock.offsetMs, errorMs: clock.errorMs };
}

export interface ClockSkew<Node> {
  readonly ahead: Node;
  readonly behind: Node;
  readonly differenceMs: number;
}

/** The two nodes whose clocks are certainly the farthest apart; undefined if fewer than two are known. */
export function greatestSkew<Node extends { readonly clock: ClockOffset | undefined }>(
  nodes: readonly Node[],
): ClockSkew<Node> | undefined {
  let ahead: Extreme<Node> | undefined;
  let behind: Extreme<Node> | undefined;
  for (const node of nodes) {
    if (node.clock === undefined) continue;
    const { offsetMs, errorMs } = node.clock;
    // What is certain: a node that was held up between question and answer proves nothing.
    if (ahead === undefined || offsetMs - errorMs > ahead.limit) ahead = { node, limit: offsetMs - errorMs };
    if (behind === undefined || offsetMs + errorMs < behind.limit)
      behind = { node, limit: offsetMs + errorMs };
  }
  if (ahead === undefined || behind === undefined || ahead.node === behind.node) return undefined;
  return { ahead: ahead.node, behind: behind.node, differenceMs: Math.max(0, ahead.limit - behind.limit) };
}

interface Extreme<Node> {
  readonly node: Node;
  readonly limit: number;
}
