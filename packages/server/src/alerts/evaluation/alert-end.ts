/** Alerts that end because somebody says so. Those who would be told of their end are told of this one too. */
import { type Clock, InvalidError } from '#core/index.ts';
import type { AlertRecord, AlertRuleRecord, MetadataScope } from '#metadata/index.ts';
import type { NoticeQueue, NoticeStream } from '../notifications/service.ts';
import { type Rule, type RuleSettings, ruleOf } from '../rules/rule.ts';
import { channelsOf } from './channels.ts';
import { isTold, noticeOf } from './notice-of.ts';

export interface AlertEndDeps {
  readonly queue: NoticeQueue;
  readonly clock: Clock;
  readonly settings: RuleSettings;
}

/** @param ended alerts of the rule, resolved within `scope` */
export async function tellEnd(
  { queue, clock, settings }: AlertEndDeps,
  scope: MetadataScope,
  record: AlertRuleRecord,
  ended: readonly AlertRecord[],
  reason: string,
): Promise<void> {
  if (ended.length === 0) return;
  const rule = readRule(record, settings);
  const [state] = await scope.repositories.alertRules.states(record.id);
  if (rule === undefined || state === undefined || !isTold(rule, state, clock.now())) return;
  const [channels, streams] = [await channelsOf(scope, rule), await streamsOf(scope, rule)];
  for (const alert of ended) {
    const notice = noticeOf(rule, {
      id: `${alert.id}:resolved`,
      kind: 'resolved',
      alert,
      streams,
      backlog: [],
      description: `${reason} It was: ${alert.description}`,
      values: {},
      window: null,
      resolvedAt: alert.resolvedAt,
    });
    await queue.enqueue(notice, channels, scope);
  }
}

/** Undefined for a rule that cannot be read: it was never evaluated by this version. */
function readRule(record: AlertRuleRecord, settings: RuleSettings): Rule | undefined {
  try {
    return ruleOf(record, settings);
  } catch (error) {
    if (error instanceof InvalidError) return undefined;
    throw error;
  }
}

async function streamsOf({ repositories }: MetadataScope, { record }: Rule): Promise<NoticeStream[]> {
  const streams: NoticeStream[] = [];
  for (const id of record.streams) {
    const stream = await repositories.streams.find(id);
    if (stream !== undefined) streams.push({ id, title: stream.title, description: stream.description });
  }
  return streams;
}
