/**
 * The rules as the evaluating node knows them, with their states and the streams they look at. It reads the database
 * again when something has changed there, which two small queries tell.
 */
import { errorMessage, readAfterChanges } from '#core/index.ts';
import type { AlertRuleRecord, AlertRuleState, Metadata, StreamRecord } from '#metadata/index.ts';
import type { NoticeStream } from '../notifications/service.ts';
import { type Rule, type RuleSettings, ruleOf } from '../rules/rule.ts';

export interface BrokenRule {
  readonly record: AlertRuleRecord;
  readonly reason: string;
}

export interface RuleBook {
  /** Reads what has changed. */
  refresh(): Promise<void>;
  /** Everything is read again the next time: somebody else has evaluated rules. */
  forget(): void;
  /** The rules that are switched on. */
  rules(): readonly Rule[];
  stateOf(ruleId: string): AlertRuleState | undefined;
  setState(state: AlertRuleState): void;
  /** Whether at least one stream of the rule runs. */
  isRunning(rule: Rule): boolean;
  streamsOf(rule: Rule): NoticeStream[];
  /** Rules that cannot be read, with the reason. */
  broken(): readonly BrokenRule[];
}

export function createRuleBook(
  { metadata }: { readonly metadata: Metadata },
  settings: RuleSettings,
): RuleBook {
  const { alertRules, streams: streamTable } = metadata.repositories;
  const readRevision = readAfterChanges(metadata, async () =>
    JSON.stringify([await alertRules.revision(), await streamTable.revision()]),
  );
  let known: string | undefined;
  let rules: Rule[] = [];
  let states = new Map<string, AlertRuleState>();
  let streams = new Map<string, StreamRecord>();
  let broken: BrokenRule[] = [];

  return {
    async refresh() {
      const revision = await readRevision();
      if (revision === known) return;
      const records = await alertRules.list();
      states = new Map((await alertRules.states()).map((state) => [state.ruleId, state]));
      streams = new Map((await streamTable.list()).map((stream) => [stream.id, stream]));
      rules = [];
      broken = [];
      for (const record of records.filter(({ enabled }) => enabled)) {
        try {
          rules.push(ruleOf(record, settings));
        } catch (error) {
          broken.push({ record, reason: errorMessage(error) });
        }
      }
      known = revision;
    },
    forget() {
      known = undefined;
    },
    rules: () => rules,
    stateOf: (ruleId) => states.get(ruleId),
    setState: (state) => void states.set(state.ruleId, state),
    isRunning: ({ record }) =>
      record.streams.length === 0 || record.streams.some((id) => streams.get(id)?.state === 'running'),
    streamsOf: ({ record }) =>
      record.streams.flatMap((id) => {
        const stream = streams.get(id);
        return stream === undefined ? [] : [{ id, title: stream.title, description: stream.description }];
      }),
    broken: () => broken,
  };
}
