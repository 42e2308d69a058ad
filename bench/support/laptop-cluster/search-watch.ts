import { setTimeout as delay } from 'node:timers/promises';
import { SENDER } from '../../../tests/support/crash-load.ts';
import { callApi } from '../../../tests/support/node-api.ts';
import type { LaptopCluster } from './laptop-cluster.ts';

/** How searches were answered. */
export interface SearchAnswers {
  /** With the messages of all shards. */
  complete: number;
  /** Allowed to be incomplete, and said which shard was missing. */
  partial: number;
  /** Not allowed to be incomplete, and said which shard was missing. */
  refused: number;
  /** Anything else, such as no answer from a node that was being killed. */
  failed: number;
}

export interface SearchWatch {
  /** Since the last call. */
  take(): SearchAnswers;
  /** How many there were since then. */
  count(): number;
  stop(): Promise<void>;
}

const PAUSE_MS = 200;

/** Asks the running nodes in turn, now with `allow_partial` and now without. */
export function watchSearches(cluster: Pick<LaptopCluster, 'anyMember'>): SearchWatch {
  const stopping = new AbortController();
  let answers = noAnswers();

  async function ask(): Promise<void> {
    for (let turn = 0; !stopping.signal.aborted; turn++) {
      const member = cluster.anyMember();
      if (member !== undefined) answers[await search(member.address, turn % 2 === 0)] += 1;
      await delay(PAUSE_MS, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  const asking = ask();
  return {
    take() {
      const taken = answers;
      answers = noAnswers();
      return taken;
    },
    count: () => Object.values(answers).reduce((sum, each) => sum + each, 0),
    async stop() {
      stopping.abort();
      await asking;
    },
  };
}

function noAnswers(): SearchAnswers {
  return { complete: 0, partial: 0, refused: 0, failed: 0 };
}

export async function search(address: string, allowPartial: boolean): Promise<keyof SearchAnswers> {
  const answer = await callApi(address, 'POST', '/messages/search', {
    query: `source:${SENDER}`,
    timerange: { type: 'relative', range: 0 },
    limit: 1,
    allow_partial: allowPartial,
  }).catch(() => undefined);
  if (answer?.status === 503 && String(answer.body.message).includes('allow_partial')) return 'refused';
  if (answer?.status !== 200) return 'failed';
  return answer.body.missing_servers === undefined ? 'complete' : 'partial';
}
