import { errorMessage } from '#core/index.ts';
import type { Logger } from '#telemetry/index.ts';
import type { TailCounts } from './protocol.ts';
import { messagesOf, readEvents, type ServerSentEvent } from './server-sent-events.ts';

/** The other nodes of the cluster. */
export interface TailPeers {
  /** The ids of the other live nodes. */
  active(): readonly string[];
  /** Opens the same tail on that node only, as server-sent events. Rejects when the node refuses or does not answer. */
  open(nodeId: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
}

/** The tails on other nodes for one follower. */
export interface PeerTails {
  /** Call it every second: follows new nodes, and drops nodes that are gone. */
  refresh(): void;
  /** The number of nodes that are followed. */
  readonly following: number;
  readonly missing: readonly string[];
  readonly isStalled: boolean;
  close(): void;
}

interface Connection {
  readonly closing: AbortController;
  state: 'connecting' | 'following' | 'lost';
  stalled: boolean;
  counted: TailCounts;
  /** Calls of `refresh` until the next attempt. */
  wait: number;
}

const REFRESHES_BEFORE_RETRY = 3;
const NO_COUNTS: TailCounts = { matched: 0, dropped: 0, skipped: 0 };

export function createPeerTails(deps: {
  readonly peers: TailPeers;
  readonly logger: Pick<Logger, 'debug'>;
  readonly offer: (texts: readonly string[], counts: TailCounts) => void;
}): PeerTails {
  const connections = new Map<string, Connection>();

  function connect(nodeId: string): void {
    const connection: Connection = {
      closing: new AbortController(),
      state: 'connecting',
      stalled: false,
      counted: NO_COUNTS,
      wait: REFRESHES_BEFORE_RETRY,
    };
    connections.set(nodeId, connection);
    follow(nodeId, connection)
      .catch((error: unknown) => {
        if (connection.closing.signal.aborted) return;
        deps.logger.debug({ node: nodeId, reason: errorMessage(error) }, 'cannot follow a node');
      })
      .finally(() => {
        connection.state = 'lost';
        connection.stalled = false;
      });
  }

  async function follow(nodeId: string, connection: Connection): Promise<void> {
    const { signal } = connection.closing;
    for await (const event of readEvents(await deps.peers.open(nodeId, signal))) {
      signal.throwIfAborted();
      // Its answer begins before its workers know what is followed.
      if (event.event === 'open') connection.state = 'following';
      else if (event.event === 'message') offerMessages(connection, messagesOf(event));
      else if (event.event === 'status') deps.offer([], newCounts(connection, event));
      else if (event.event === 'end') return;
    }
  }

  /** Counts the messages now: the node's status comes up to a second later, when the tail may be paused. */
  function offerMessages(connection: Connection, texts: readonly string[]): void {
    const { counted } = connection;
    connection.counted = { ...counted, matched: counted.matched + texts.length };
    deps.offer(texts, { ...NO_COUNTS, matched: texts.length });
  }

  function drop(nodeId: string, connection: Connection): void {
    connections.delete(nodeId);
    connection.closing.abort();
  }

  return {
    refresh() {
      const active = new Set(deps.peers.active());
      for (const [nodeId, connection] of connections) {
        if (!active.has(nodeId)) drop(nodeId, connection);
        else if (connection.state === 'lost' && --connection.wait <= 0) connections.delete(nodeId);
      }
      for (const nodeId of active) if (!connections.has(nodeId)) connect(nodeId);
    },
    get following() {
      return [...connections.values()].filter(({ state }) => state === 'following').length;
    },
    get missing() {
      return [...connections].flatMap(([nodeId, { state }]) => (state === 'following' ? [] : [nodeId]));
    },
    get isStalled() {
      return [...connections.values()].some(({ stalled }) => stalled);
    },
    close() {
      for (const [nodeId, connection] of connections) drop(nodeId, connection);
    },
  };
}

/** The difference between the node's counts since the connection was opened and what was counted before. */
function newCounts(connection: Connection, event: ServerSentEvent): TailCounts {
  const status = JSON.parse(event.data.join('\n')) as Partial<TailCounts> & { readonly stalled?: boolean };
  const { counted } = connection;
  const counts = {
    matched: Math.max(counted.matched, Number(status.matched) || 0),
    dropped: Number(status.dropped) || 0,
    skipped: Number(status.skipped) || 0,
  };
  connection.counted = counts;
  connection.stalled = status.stalled === true;
  return {
    matched: counts.matched - counted.matched,
    dropped: counts.dropped - counted.dropped,
    skipped: counts.skipped - counted.skipped,
  };
}
