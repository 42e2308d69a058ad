/**
 * The live tail as the API sees it: followers with what they may see, for as long as they may see it. What they get
 * comes from the workers of this node (`hub.ts`) and from the other nodes of the cluster (`peer-tails.ts`).
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
import { followedStreams, streamsStillFollowed } from './access.ts';
import { TailFollower } from './follower.ts';
import { createTailHub, type TailHub } from './hub.ts';
import { MessageBatch } from './message-batch.ts';
import { createPeerTails, type PeerTails, type TailPeers } from './peer-tails.ts';
import type { TailDelivery, WantedTails } from './protocol.ts';
import type { TailAudience } from './shared-tail.ts';

export interface TailRequest {
  readonly principal: Principal;
  readonly query: string;
  readonly streams: readonly string[] | undefined;
  readonly fields: readonly string[] | undefined;
  /** Messages a second. */
  readonly rate: number;
  readonly timeZone: string;
  /** Other nodes to follow as well; undefined: only this one. */
  readonly peers: TailPeers | undefined;
  /** Asked again and again while the tail runs. */
  readonly authenticate: () => AuthenticationResult | Promise<AuthenticationResult>;
  /** Aborted when the client has gone or the node stops. */
  readonly signal: AbortSignal;
}

export interface LiveTail {
  /**
   * Server-sent events, until the client goes, loses its rights or the node stops. Throws `InvalidError` for a query
   * that cannot be read, `ForbiddenError`, and `TooManyRequestsError` when there are too many followers.
   */
  open(request: TailRequest): Readable;
  /** Resolves when it is so in all workers. Rejects with `NotFoundError` for a tail that is not there or not theirs. */
  setPaused(principal: Principal, id: string, paused: boolean): Promise<void>;
  /** The node a tail was opened on, by its id. */
  nodeOf(id: string): string | undefined;
  /** To be called with what the workers of this node find. */
  delivered(worker: number, delivery: TailDelivery): void;
}

export interface LiveTailDeps {
  /** Tells all workers what to look for. Returns how many there are. */
  readonly tell: (wanted: WantedTails) => number;
  /** Throws `InvalidError` that says what is wrong with the query and where. */
  readonly parse: (query: string) => {
    readonly query: QueryNode;
    readonly warnings: readonly QueryProblem[];
  };
  /** Whether the query itself asks for processing failures. */
  readonly asksForFailures: (query: QueryNode) => boolean;
  /** Ids of all streams there are. */
  readonly streamIds: () => readonly string[];
  readonly clock: Clock;
  readonly monotonic: Clock;
  readonly logger: Logger;
}

export interface LiveTailConfig {
  readonly nodeId: string;
  readonly maxFollowers: number;
  readonly maxFollowersPerUser: number;
  readonly checkIntervalMs?: number;
  /** How long a tail goes on when nobody can say whether it still may. */
  readonly graceMs?: number;
  readonly maxPendingCharacters?: number;
}

const DEFAULTS = { checkIntervalMs: 2000, graceMs: 20_000, maxPendingCharacters: 512 * 1024 } as const;
const STATUS_INTERVAL_MS = 1000;
const LAST_READ_MS = 5000;
const CLIENT_RETRY_MS = 3000;
const TRY_LATER_SECONDS = 10;

interface Following {
  readonly request: TailRequest;
  readonly follower: TailFollower;
  readonly audience: TailAudience;
  readonly query: QueryNode;
  readonly includesFailures: boolean;
  readonly peerTails: PeerTails | undefined;
  streams: readonly string[] | undefined;
  checkedAt: number;
  isChecking: boolean;
}

export function createLiveTail(deps: LiveTailDeps, options: LiveTailConfig): LiveTail {
  return new NodeLiveTail(deps, { ...DEFAULTS, ...options });
}

class NodeLiveTail implements LiveTail {
  readonly #deps: LiveTailDeps;
  readonly #config: Required<LiveTailConfig>;
  readonly #hub: TailHub;
  readonly #followings = new Map<string, Following>();
  #lastBatch = 0;
  readonly #batchOf = (texts: readonly string[]) => new MessageBatch(++this.#lastBatch, texts);
  #statusJob: PeriodicJob | undefined;

  constructor(deps: LiveTailDeps, config: Required<LiveTailConfig>) {
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
    this.#requireRoom(request);
    const { monotonic, logger } = this.#deps;
    const id = `${this.#config.nodeId}.${randomBytes(9).toString('base64url')}`;
    const { maxPendingCharacters } = this.#config;
    const follower = new TailFollower(id, monotonic, {
      rate,
      maxPendingCharacters,
    });
    const offer: TailAudience['offer'] = (batch, counts) => follower.offer(batch, counts);
    const following: Following = {
      request,
      follower,
      audience: {
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
      checkedAt: monotonic.now(),
      isChecking: false,
    };
    this.#begin(following, warnings);
    return follower.stream;
  }

  #begin(following: Following, warnings: readonly QueryProblem[]): void {
    const { follower, request, peerTails } = following;
    this.#followings.set(follower.id, following);
    follower.stream.once('close', () => this.#forget(following));
    request.signal.addEventListener('abort', () => {
      this.#end(following, 'stopping', 'This node is being stopped. Connect again.');
    });
    follower.begin(CLIENT_RETRY_MS);
    this.#join(following);
    // Whoever reads this and sends a message then will see it.
    void this.#hub.settled().then(() =>
      follower.open({
        id: follower.id,
        query: request.query,
        streams: following.streams ?? null,
        rate: request.rate,
        warnings,
      }),
    );
    peerTails?.lookAround();
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

  #join({ audience, includesFailures, query, request, streams }: Following): void {
    const { fields, query: text, timeZone } = request;
    this.#hub.join(audience, { query, text, timeZone, streams, includesFailures, fields });
  }

  #forget({ audience, follower, peerTails }: Following): void {
    if (!this.#followings.delete(follower.id)) return;
    this.#hub.leave(audience);
    peerTails?.close();
    if (this.#followings.size > 0) return;
    void this.#statusJob?.stop();
    this.#statusJob = undefined;
  }

  /** A client that does not read the end of its tail does not keep it either. */
  #end(following: Following, reason: string, message: string): void {
    const { stream } = following.follower;
    following.follower.end(reason, message);
    this.#forget(following);
    setTimeout(() => stream.destroy(), LAST_READ_MS).unref();
  }

  /** Tails that other nodes open here for their followers are counted apart: both have to fit. */
  #requireRoom({ principal, peers }: TailRequest): void {
    const { maxFollowers, maxFollowersPerUser } = this.#config;
    const alike = [...this.#followings.values()].filter(
      ({ request }) => (request.peers === undefined) === (peers === undefined),
    );
    if (alike.length >= maxFollowers) {
      throw new TooManyRequestsError(
        `This node has ${maxFollowers} live tails open already (live_tail_max_followers). Close one, or try later.`,
        TRY_LATER_SECONDS,
      );
    }
    const own = alike.filter(({ request }) => request.principal.userId === principal.userId);
    if (own.length >= maxFollowersPerUser) {
      throw new TooManyRequestsError(
        `You have ${maxFollowersPerUser} live tails open on this node already (live_tail_max_followers_per_user). Close one of them.`,
        TRY_LATER_SECONDS,
      );
    }
  }

  async setPaused(principal: Principal, id: string, paused: boolean): Promise<void> {
    const following = this.#followings.get(id);
    if (following === undefined || following.request.principal.userId !== principal.userId) {
      throw new NotFoundError(`There is no live tail ${id.slice(0, 100)}, or it is not yours.`);
    }
    following.follower.setPaused(paused);
    this.#hub.audienceChanged();
    await this.#hub.settled();
    this.#tellStatus(following);
  }

  nodeOf(id: string): string | undefined {
    const end = id.lastIndexOf('.');
    return end < 0 ? undefined : id.slice(0, end);
  }

  #everySecond(): void {
    for (const following of [...this.#followings.values()]) {
      following.peerTails?.lookAround();
      this.#tellStatus(following);
      const age = this.#deps.monotonic.now() - following.checkedAt;
      if (age >= this.#config.checkIntervalMs && !following.isChecking) void this.#check(following);
    }
  }

  #tellStatus({ follower, peerTails }: Following): void {
    follower.tellStatus({
      stalled: this.#hub.isStalled() || (peerTails?.isStalled ?? false),
      nodes: 1 + (peerTails?.following ?? 0),
      missing_nodes: peerTails?.missing ?? [],
    });
  }

  /** Whether the follower may still see what it sees. */
  async #check(following: Following): Promise<void> {
    following.isChecking = true;
    try {
      const result = await following.request.authenticate();
      if (!isAuthenticationFailure(result)) this.#narrow(following, result);
      else if (result.failure === 'refused') this.#doubt(following);
      else this.#end(following, 'unauthenticated', 'The session, token or user of this tail is no more.');
    } catch (error) {
      if (error instanceof ForbiddenError) this.#end(following, 'forbidden', error.message);
      else this.#doubt(following);
    } finally {
      following.isChecking = false;
    }
  }

  #narrow(following: Following, principal: Principal): void {
    following.checkedAt = this.#deps.monotonic.now();
    const streams = streamsStillFollowed(
      principal,
      following.request.streams,
      this.#deps.streamIds(),
      following.includesFailures,
    );
    if (
      streams?.join() === following.streams?.join() &&
      (streams === undefined) === (following.streams === undefined)
    )
      return;
    following.streams = streams;
    if (!this.#followings.has(following.follower.id)) return;
    this.#join(following);
    following.follower.announce('access', { streams: streams ?? null });
  }

  /** Nobody can say: the database is away, or too many failed logins from this address. */
  #doubt(following: Following): void {
    if (this.#deps.monotonic.now() - following.checkedAt < this.#config.graceMs) return;
    this.#end(
      following,
      'unchecked',
      'Whether this user may still see this could not be checked. Connect again.',
    );
  }
}
