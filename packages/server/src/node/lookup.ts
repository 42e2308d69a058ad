/** Joins the lookup tables of this node with the workers, whose rules look things up. */
import type { Cluster } from '#cluster/service.ts';
import type { NodeConfig } from '#config/index.ts';
import { type AllowedUrls, createSecretCipher, type Secret } from '#core/index.ts';
import {
  createLookupService,
  type LookupService,
  type LookupServiceDeps,
  type Reply,
} from '#lookup/service.ts';
import type { LookupMessage, LookupReply, WorkerEvents } from '#workers/index.ts';

export interface NodeLookup {
  readonly service: LookupService;
  readonly events: Pick<WorkerEvents, 'lookupRequested'>;
  /** Keeps the workers informed from now on. */
  inform(workers: LookupWorkers): void;
}

interface LookupWorkers {
  tell(message: LookupMessage, later: LookupMessage): number;
  post(message: LookupReply, isWanted: (worker: number) => boolean): void;
}

interface NodeLookupDeps extends Omit<LookupServiceDeps, 'cipher' | 'urls' | 'isLeader'> {
  readonly cluster: Pick<Cluster, 'registry'>;
  readonly urlAllowlist: AllowedUrls;
}

export function createNodeLookup(
  { metadata, audit, urlAllowlist: urls, cluster, clock, logger }: NodeLookupDeps,
  { passwordSecret }: { readonly passwordSecret: Secret },
  config: Pick<NodeConfig, 'lookup_files_dir' | 'lookup_allowed_networks'>,
): NodeLookup {
  const service = createLookupService(
    {
      metadata,
      audit,
      urls,
      cipher: createSecretCipher(passwordSecret),
      isLeader: () => cluster.registry.isLeader(),
      clock,
      logger,
    },
    { filesDirectory: config.lookup_files_dir, allowedNetworks: config.lookup_allowed_networks ?? [] },
  );
  const replies = new Map<number, Reply>();
  let workers: LookupWorkers | undefined;

  function replyTo(worker: number): Reply {
    let reply = replies.get(worker);
    if (reply === undefined) {
      reply = (answers) => workers?.post({ kind: 'lookup-answers', answers }, (each) => each === worker);
      replies.set(worker, reply);
    }
    return reply;
  }

  return {
    service,
    events: { lookupRequested: (worker, requests) => service.serve(requests, replyTo(worker)) },
    inform(informed) {
      workers = informed;
      service.onSnapshot((snapshot, news) =>
        informed.tell({ kind: 'lookup', snapshot: news }, { kind: 'lookup', snapshot }),
      );
      service.onForget((forgotten, by) =>
        informed.post({ kind: 'lookup-forget', forgotten }, (worker) => replies.get(worker) !== by),
      );
    },
  };
}
