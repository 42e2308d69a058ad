/** How the conditions of a stream that alert stand now. The answer is kept for 30 seconds, whatever changes meanwhile. */
import { type AlertCheck, formatTimestamp } from '@millrace/contract';
import { BoundedMap, UnavailableError } from '#core/index.ts';
import { type RuleContext, requireStream, statusOf } from '../rules/access.ts';
import { type Rule, ruleOf } from '../rules/rule.ts';
import { conditionView } from '../rules/stream-conditions.ts';
import type { Probes } from './probe.ts';

export interface StreamChecks {
  /** Rejects with `NotFoundError` for an unknown stream, and with `UnavailableError` if the storage is away. */
  check(streamId: string): Promise<AlertCheck>;
}

const CACHE_MS = 30_000;
const MAX_CACHED_STREAMS = 1000;

export function createStreamChecks(context: RuleContext, probes: Probes): StreamChecks {
  const { metadata, clock } = context;
  const cache = new BoundedMap<string, { readonly at: number; readonly answer: Promise<AlertCheck> }>({
    maxEntries: MAX_CACHED_STREAMS,
  });

  async function calculate(streamId: string): Promise<AlertCheck> {
    const ofStream = await metadata.repositories.alertRules.listByStream(streamId);
    // Monitoring systems alert by this answer, which a rule that only records events must not make them do.
    const records = ofStream.filter(({ isAlert }) => isAlert);
    const status = await statusOf(context, records);
    const rules = records.flatMap((record) => {
      const condition = conditionView(record, status.get(record.id));
      return condition === undefined ? [] : [{ rule: ruleOf(record, context.settings), condition }];
    });
    const calculatedAt = clock.now();
    const probed = await probes.run(rules.map(({ rule }): Rule => rule));
    const results = rules.map(({ condition }, at) => {
      const probe = probed[at];
      if (probe === undefined || 'error' in probe) {
        if (probe?.isTemporary) throw new UnavailableError(probe.error);
        return { condition, triggered: false, error: probe?.error ?? 'It was not evaluated.' };
      }
      const { isTriggered, description } = probe;
      return { condition, triggered: isTriggered, ...(isTriggered && { alert_description: description }) };
    });
    return {
      total_triggered: results.filter(({ triggered }) => triggered).length,
      results,
      calculated_at: formatTimestamp(calculatedAt),
    };
  }

  return {
    async check(streamId) {
      await requireStream(metadata, streamId);
      const now = clock.now();
      const cached = cache.get(streamId);
      // A clock that was set back must not keep an answer for longer.
      if (cached !== undefined && now >= cached.at && now < cached.at + CACHE_MS) return cached.answer;
      const answer = calculate(streamId);
      cache.set(streamId, { at: now, answer });
      answer.catch(() => cache.delete(streamId));
      return answer;
    },
  };
}
