/**
 * The live tail for the API. Followers get messages from the workers of this node (`hub.ts`) and from the other nodes of
 * the cluster (`peer-tails.ts`), as long as they are authorized.
 */
import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { QueryNode, QueryProblem } from '@millrace/query';
import {
  type AuthenticationResult,
  type Clock,
  createPeriodicJob,
  ForbiddenError,
  isAuthenticationFailure,
  NotFoundError,
  type PeriodicJob,
  type Principal,
  TooManyRequestsError,
} from '#core/index.ts';
import type { Logger } from '#telemetry/index.ts';
import { requireTimeZone } from '../time/index.ts';
import { followedStreams, streamsStillFollowed, visibleStreams } from './access.ts';
import { TailFollower } from './follower.ts';
import { createTailHub, type TailHub } from './hub.ts';
import { MessageBatch } from './message-batch.ts';
import { createPeerTails, type PeerTails, type TailPeers } from './peer-tails.ts';
import type { TailDelivery, WantedTails } from './protocol.ts';
import type { TailListener } from './shared-tail.ts';

export interface TailRequest {
  readonly principal: Principal;
  readonly query: string;
  readonly streams: readonly string[] | undefined;
  readonly fields: readonly string[] | undefined;
  /** Messages per second. */
  readonly rate: number;
  readonly timeZone: string;
  /** The other nodes to follow; undefined for this node only. */
  readonly peers: TailPeers | undefined;
  /** Called repeatedly while the tail is open. */
  readonly authenticate: () => AuthenticationResult | Promise<AuthenticationResult>;
  /** Aborted when the client disconnects or the node stops. */
  readonly signal: AbortSignal;
}

export interface LiveTail {
  /**
   * Server-sent events, until the client disconnects or loses its permissions, or the node stops. Throws `InvalidError`
   * for an invalid query, `ForbiddenError`, and `TooManyRequestsError` when there are too many followers.
   */
  open(request: TailRequest): Readable;
  /** Resolves when all workers know. Rejects with `NotFoundError` for an unknown tail or a tail of another user. */
  setPaused(principal: Principal, id: string, paused: boolean): Promise<void>;
  /** The node on which the tail with this id was opened. */
  nodeOf(id: string): string | undefined;
  /** Call it with every delivery of this node's workers. */
  delivered(worker: number, delivery: TailDelivery): void;
}

export interface LiveTailDeps {
  /** Sends all wanted tails to all workers. Returns the number of workers. */
  readonly publish: (wanted: WantedTails) => number;
  /** Throws an `InvalidError` with the problem and its position in the query. */
  readonly parse: (query: string) => {
    readonly query: QueryNode;
    readonly warnings: readonly QueryProblem[];
  };
  /** Whether the query asks for processing failures. */
  readonly asksForFailures: (query: QueryNode) => boolean;
  readonly streamIds: () => readonly string[];
  readonly clock: Clock;
  readonly monotonic: Clock;
  readonly logger: Logger;
}

export interface LiveTailSettings {
  readonly nodeId: string;
  readonly maxFollowers: number;
  readonly maxFollowersPerUser: number;
  readonly checkIntervalMs?: number;
  /** How long a tail stays open when its permissions cannot be checked. */
  readonly graceMs?: number;
  readonly maxPendingCharacters?: number;
}

const DEFAULTS = { checkIntervalMs: 2000, graceMs: 20_000, maxPendingCharacters: 512 * 1024 } as const;
const STATUS_INTERVAL_MS = 1000;
const MAX_LAST_READ_MS = 5000;
const CLIENT_RETRY_MS = 3000;
const RETRY_AFTER_SECONDS = 10;

interface FollowerEntry {
  readonly request: TailRequest;
  readonly follower: TailFollower;
  readonly listener: TailListener;
  readonly query: QueryNode;
  readonly includesFailures: boolean;
  readonly peerTails: PeerTails | undefined;
  streams: readonly string[] | undefined;
  visibleStreams: readonly string[] | undefined;
  checkedAt: number;
  isChecking: boolean;
}

export function createLiveTail(deps: LiveTailDeps, options: LiveTailSettings): LiveTail {
  return new NodeLiveTail(deps, { ...DEFAULTS, ...options });
}

class NodeLiveTail implements LiveTail {
  readonly #deps: LiveTailDeps;
  readonly #config: Required<LiveTailSettings>;
  readonly #hub: TailHub;
  readonly #entries = new Map<string, FollowerEntry>();
  #lastBatch = 0;
  readonly #batchOf = (texts: readonly string[]) => new MessageBatch(++this.#lastBatch, texts);
  #statusJob: PeriodicJob | undefined;

  constructor(deps: LiveTailDeps, config: Required<LiveTailSettings>) {
    this.#deps = deps;
    this.#config = config;
    this.#hub = createTailHub({ ...deps, now: () => deps.clock.now(), batchOf: this.#batchOf }, config);
  }

  delivered(worker: number, delivery: TailDelivery): void {
    this.#hub.delivered(worker, delivery);
  }

  open(request: TailRequest): Readable {
    const { principal, rate } = request;
    const { query, warnings } = this.#deps.parse(request.query);
    requireTimeZone(request.timeZone);
    const includesFailures = this.#deps.asksForFailures(query);
    const streams = followedStreams(principal, request.streams, this.#deps.streamIds(), includesFailures);
    this.#requireCapacity(request);
    const { monotonic, logger } = this.#deps;
    const id = `${this.#config.nodeId}.${randomBytes(9).toString('base64url')}`;
    const { maxPendingCharacters } = this.#config;
    const follower = new TailFollower(id, monotonic, {
      rate,
      maxPendingCharacters,
    });
    const offer: TailListener['offer'] = (batch, counts) => follower.offer(batch, counts);
    const entry: FollowerEntry = {
      request,
      follower,
      listener: {
        rate,
        get isPaused() {
          return follower.isPaused;
        },
        offer,
      },
      query,
      includesFailures,
      peerTails:
        request.peers &&
        createPeerTails({
          peers: request.peers,
          logger,
          offer: (texts, counts) => offer(this.#batchOf(texts), counts),
        }),
      streams,
      visibleStreams: visibleStreams(principal, this.#deps.streamIds()),
      checkedAt: monotonic.now(),
      isChecking: false,
    };
    this.#start(entry, warnings);
    return follower.stream;
  }

  #start(entry: FollowerEntry, warnings: readonly QueryProblem[]): void {
    const { follower, request, peerTails } = entry;
    this.#entries.set(follower.id, entry);
    follower.stream.once('close', () => this.#remove(entry));
    request.signal.addEventListener('abort', () => {
      this.#end(entry, 'stopping', 'This node is stopping. Connect again.');
    });
    follower.sendPreamble(CLIENT_RETRY_MS);
    this.#join(entry);
    // A message that is sent after this event will be seen.
    void this.#hub.settled().then(() =>
      follower.open({
        id: follower.id,
        query: request.query,
        streams: entry.streams ?? null,
        rate: request.rate,
        warnings,
      }),
    );
    peerTails?.refresh();
    this.#startStatusJob();
  }

  #startStatusJob(): void {
    if (this.#statusJob !== undefined) return;
    this.#statusJob = createPeriodicJob(
      { run: () => this.#everySecond(), logger: this.#deps.logger },
      { name: 'status of live tails', intervalMs: STATUS_INTERVAL_MS, jitter: 0 },
    );
    this.#statusJob.start();
  }

  #join({ listener, includesFailures, query, request, streams, ...entry }: FollowerEntry): void {
    const { fields, query: text, timeZone } = request;
    const selection = { query, text, timeZone, streams, includesFailures, fields };
    this.#hub.join(listener, { ...selection, visibleStreams: entry.visibleStreams });
  }

  #remove({ listener, follower, peerTails }: FollowerEntry): void {
    if (!this.#entries.delete(follower.id)) return;
    this.#hub.leave(listener);
    peerTails?.close();
    if (this.#entries.size > 0) return;
    void this.#statusJob?.stop();
    this.#statusJob = undefined;
  }

  /** The stream is destroyed after a while, even if the client does not read its end. */
  #end(entry: FollowerEntry, reason: string, message: string): void {
    const { stream } = entry.follower;
    entry.follower.end(reason, message);
    this.#remove(entry);
    setTimeout(() => stream.destroy(), MAX_LAST_READ_MS).unref();
  }

  /** Tails that other nodes open here for their followers have their own limits of the same size. */
  #requireCapacity({ principal, peers }: TailRequest): void {
    const { maxFollowers, maxFollowersPerUser } = this.#config;
    const alike = [...this.#entries.values()].filter(
      ({ request }) => (request.peers === undefined) === (peers === undefined),
    );
    if (alike.length >= maxFollowers) {
      throw new TooManyRequestsError(
        `This node already has ${maxFollowers} open live tails (live_tail_max_followers). Close one, or try again later.`,
        RETRY_AFTER_SECONDS,
      );
    }
    const own = alike.filter(({ request }) => request.principal.userId === principal.userId);
    if (own.length >= maxFollowersPerUser) {
      throw new TooManyRequestsError(
        `You already have ${maxFollowersPerUser} open live tails on this node (live_tail_max_followers_per_user). Close one of them.`,
        RETRY_AFTER_SECONDS,
      );
    }
  }

  async setPaused(principal: Principal, id: string, paused: boolean): Promise<void> {
    const entry = this.#entries.get(id);
    if (entry === undefined || entry.request.principal.userId !== principal.userId) {
      throw new NotFoundError(`There is no live tail ${id.slice(0, 100)}, or it belongs to another user.`);
    }
    entry.follower.setPaused(paused);
    this.#hub.listenersChanged();
    await this.#hub.settled();
    this.#tellStatus(entry);
  }

  nodeOf(id: string): string | undefined {
    const end = id.lastIndexOf('.');
    return end < 0 ? undefined : id.slice(0, end);
  }

  #everySecond(): void {
    for (const entry of [...this.#entries.values()]) {
      entry.peerTails?.refresh();
      this.#tellStatus(entry);
      const age = this.#deps.monotonic.now() - entry.checkedAt;
      if (age >= this.#config.checkIntervalMs && !entry.isChecking) void this.#check(entry);
    }
  }

  #tellStatus({ follower, peerTails }: FollowerEntry): void {
    follower.sendStatus({
      stalled: this.#hub.isStalled() || (peerTails?.isStalled ?? false),
      nodes: 1 + (peerTails?.following ?? 0),
      missing_nodes: peerTails?.missing ?? [],
    });
  }

  /** Checks the follower's permissions again. */
  async #check(entry: FollowerEntry): Promise<void> {
    entry.isChecking = true;
    try {
      const result = await entry.request.authenticate();
      if (!isAuthenticationFailure(result)) this.#updateStreams(entry, result);
      else if (result.failure === 'refused') this.#endAfterGracePeriod(entry);
      else this.#end(entry, 'unauthenticated', 'The session, token or user of this tail no longer exists.');
    } catch (error) {
      if (error instanceof ForbiddenError) this.#end(entry, 'forbidden', error.message);
      else this.#endAfterGracePeriod(entry);
    } finally {
      entry.isChecking = false;
    }
  }

  #updateStreams(entry: FollowerEntry, principal: Principal): void {
    entry.checkedAt = this.#deps.monotonic.now();
    const streams = streamsStillFollowed(
      principal,
      entry.request.streams,
      this.#deps.streamIds(),
      entry.includesFailures,
    );
    const visible = visibleStreams(principal, this.#deps.streamIds());
    const hasChanged = !areSame(streams, entry.streams);
    if (!hasChanged && areSame(visible, entry.visibleStreams)) return;
    entry.streams = streams;
    entry.visibleStreams = visible;
    if (!this.#entries.has(entry.follower.id)) return;
    this.#join(entry);
    if (hasChanged) entry.follower.announce('access', { streams: streams ?? null });
  }

  /** The check failed: the database is unreachable, or there were too many failed logins from this address. */
  #endAfterGracePeriod(entry: FollowerEntry): void {
    if (this.#deps.monotonic.now() - entry.checkedAt < this.#config.graceMs) return;
    this.#end(entry, 'unchecked', 'The permissions of this user could not be checked. Connect again.');
  }
}

function areSame(one: readonly string[] | undefined, other: readonly string[] | undefined): boolean {
  return one?.join() === other?.join() && (one === undefined) === (other === undefined);
}
