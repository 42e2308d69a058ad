/** Rules as conditions of one stream. */
import {
  type AlertConditionList,
  type AlertConditionView,
  type ConditionPage,
  type ConditionPreview,
  type ConditionPreviewRequest,
  type ConditionsPageQuery,
  type ConditionTest,
  type ConditionTypes,
  type CreateConditionRequest,
  formatTimestamp,
  type RuleStateView,
  type UpdateConditionRequest,
} from '@millrace/contract';
import {
  type Caller,
  InvalidConfiguration,
  InvalidError,
  NotFoundError,
  type Principal,
  recordAction,
  requestedConfiguration,
  requireRevision,
  revisionOf,
} from '#core/index.ts';
import type { AlertRecord, AlertRuleRecord, AlertRuleState } from '#metadata/index.ts';
import { CONDITION_TYPES } from '../conditions/registry.ts';
import type { PreviewOptions, Previews } from '../evaluation/preview.ts';
import type { Probes } from '../evaluation/probe.ts';
import { scheduleOf } from '../evaluation/schedule.ts';
import { requireReadableAlert } from '../notifications/service.ts';
import {
  findRule,
  muteRule,
  type RuleContext,
  type RuleStatus,
  removeRule,
  requireStream,
  statusOf,
} from './access.ts';
import { conditionOf, invalidParameters, requireConditionType } from './rule.ts';

/**
 * Contract: all throw `NotFoundError` for an unknown stream or condition, and `InvalidError` for an unknown type or
 * parameters that are not valid. A rule that looks at several streams is no condition of any of them.
 */
export interface StreamConditions {
  types(): ConditionTypes;
  list(streamId: string): Promise<AlertConditionList>;
  /** Of all streams that the reader may read. */
  listAll(reader: Pick<Principal, 'can'>): Promise<AlertConditionList>;
  /** A part of those that `listAll` lists. */
  page(reader: Pick<Principal, 'can'>, query: ConditionsPageQuery): Promise<ConditionPage>;
  get(streamId: string, id: string): Promise<AlertConditionView>;
  /** Returns the id. */
  create(caller: Caller, streamId: string, request: CreateConditionRequest): Promise<string>;
  update(caller: Caller, streamId: string, id: string, request: UpdateConditionRequest): Promise<void>;
  remove(caller: Caller, streamId: string, id: string): Promise<void>;
  mute(caller: Caller, streamId: string, id: string, minutes: number): Promise<void>;
  /** Evaluates a condition that is not stored. */
  test(streamId: string, request: CreateConditionRequest): Promise<ConditionTest>;
  /** Throws `InvalidError` with the same answer if it cannot be evaluated. */
  testStored(streamId: string, id: string): Promise<ConditionTest>;
  /** What a condition would have done over the last hours. */
  preview(
    streamId: string,
    request: ConditionPreviewRequest,
    options: PreviewOptions,
  ): Promise<ConditionPreview>;
  /** The same for the time around an alert: an hour before it, until it was resolved. */
  valuesOf(
    reader: Pick<Principal, 'can'>,
    streamId: string,
    alertId: string,
    signal?: AbortSignal,
  ): Promise<ConditionPreview>;
  /** The same for an alert of any rule. Both throw `ForbiddenError` if the reader may not read all its streams. */
  valuesOfAny(
    reader: Pick<Principal, 'can'>,
    alertId: string,
    signal?: AbortSignal,
  ): Promise<ConditionPreview>;
}

export function createStreamConditions(
  context: RuleContext,
  { probes, previews }: { readonly probes: Probes; readonly previews: Previews },
): StreamConditions {
  return {
    ...createReads(context),
    ...createChanges(context),
    ...createTests(context, probes),
    ...createPreviewing(context, previews),
  };
}

function createReads(context: RuleContext) {
  const { metadata } = context;
  async function views(records: readonly AlertRuleRecord[]): Promise<AlertConditionList> {
    const status = await statusOf(context, records);
    const conditions = records.flatMap((record) => conditionView(record, status.get(record.id)) ?? []);
    return { total: conditions.length, conditions };
  }
  async function readable(reader: Pick<Principal, 'can'>): Promise<AlertRuleRecord[]> {
    const all = await metadata.repositories.alertRules.list();
    return all.filter(({ streams: [only, ...more] }) => isReadable(reader, only, more));
  }
  return {
    types: conditionTypeViews,
    async list(streamId: string): Promise<AlertConditionList> {
      await requireStream(metadata, streamId);
      return views(await metadata.repositories.alertRules.listByStream(streamId));
    },
    listAll: async (reader: Pick<Principal, 'can'>): Promise<AlertConditionList> =>
      views(await readable(reader)),
    async page(reader: Pick<Principal, 'can'>, query: ConditionsPageQuery): Promise<ConditionPage> {
      const titles = new Map(
        (await metadata.repositories.streams.list()).map(({ id, title }) => [id, title]),
      );
      const wanted = wantedConditions(await readable(reader), titles, query);
      const { page, per_page } = query;
      const shown = wanted.slice((page - 1) * per_page, page * per_page);
      const { total: count, conditions } = await views(shown);
      return { total: wanted.length, count, page, per_page, conditions };
    },
    async get(streamId: string, id: string): Promise<AlertConditionView> {
      const record = await requireCondition(context, streamId, id);
      const [view] = (await views([record])).conditions;
      if (view === undefined) throw conditionNotFound(streamId, id);
      return view;
    },
  };
}

function isReadable(
  reader: Pick<Principal, 'can'>,
  only: string | undefined,
  more: readonly string[],
): boolean {
  return only !== undefined && more.length === 0 && reader.can('streams:read', only);
}

/** Those that contain the text, in the order that is asked for. */
function wantedConditions(
  records: readonly AlertRuleRecord[],
  streamTitles: ReadonlyMap<string, string>,
  { query, stream_id: streamId, ids, sort, order }: ConditionsPageQuery,
): AlertRuleRecord[] {
  const text = query.trim().toLowerCase();
  const streamOf = ({ streams: [id = ''] }: AlertRuleRecord) => streamTitles.get(id) ?? '';
  const keyOf = (record: AlertRuleRecord): string => {
    if (sort === 'created_at') return '';
    return (sort === 'title' ? record.title : streamOf(record)).toLowerCase();
  };
  const found = records.filter(
    (record) =>
      (streamId === undefined || record.streams[0] === streamId) &&
      (ids === undefined || ids.includes(record.id)) &&
      `${record.title}\n${streamOf(record)}`.toLowerCase().includes(text),
  );
  const direction = order === 'desc' ? -1 : 1;
  // Those with the same key stay in the order in which they were made.
  return found.sort((a, b) => direction * (compare(keyOf(a), keyOf(b)) || a.createdAt - b.createdAt));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function createChanges(context: RuleContext) {
  const { metadata, audit } = context;
  const { alertRules } = metadata.repositories;
  return {
    async create(caller: Caller, streamId: string, request: CreateConditionRequest): Promise<string> {
      await requireStream(metadata, streamId);
      const record = await alertRules.insert({
        title: request.title?.trim() ?? '',
        description: '',
        enabled: true,
        streams: [streamId],
        condition: completeCondition(request),
        schedule: { kind: 'interval', everyMs: null },
        notifiesStream: true,
        notifications: [],
        priority: 2,
        isAlert: true,
        extras: {},
        creator: caller.principal.username,
      });
      await recordAction(audit, caller, 'alert_rule.create', { objectId: record.id, after: record });
      return record.id;
    },

    async update(
      caller: Caller,
      streamId: string,
      id: string,
      request: UpdateConditionRequest,
    ): Promise<void> {
      let before = await requireCondition(context, streamId, id);
      // What the request leaves out stays as it is stored when it is changed, not as it was read before.
      const after = await alertRules.update(id, (stored) => {
        requireRevision({
          what: 'alert condition',
          revision: conditionRevision(stored),
          wanted: request.revision,
        });
        before = stored;
        const { type } = stored.condition;
        const parameters = { ...stored.condition.parameters, ...request.parameters };
        return {
          ...stored,
          ...(typeof request.title === 'string' && { title: request.title.trim() }),
          condition: completeCondition({ type, parameters }),
        };
      });
      if (after === undefined) throw conditionNotFound(streamId, id);
      await recordAction(audit, caller, 'alert_rule.update', { objectId: id, before, after });
    },

    async remove(caller: Caller, streamId: string, id: string): Promise<void> {
      await removeRule(context, caller, await requireCondition(context, streamId, id));
    },

    async mute(caller: Caller, streamId: string, id: string, minutes: number): Promise<void> {
      await muteRule(context, caller, await requireCondition(context, streamId, id), minutes);
    },
  };
}

function createTests({ metadata, settings }: RuleContext, probes: Probes) {
  async function test(streamId: string, stored: AlertRuleRecord['condition']): Promise<ConditionTest> {
    const { condition } = conditionOf(stored);
    const schedule = scheduleOf({ kind: 'interval', everyMs: null }, settings.checkIntervalMs, streamId);
    const messages = { streams: [streamId], basis: condition.basis };
    const [result] = await probes.run([{ condition, schedule, messages }]);
    if (result === undefined || 'error' in result) {
      const message = result?.error ?? 'It was not evaluated.';
      return { triggered: false, error: true, error_messages: [{ type: 'EvaluationError', message }] };
    }
    const { isTriggered, description } = result;
    return { triggered: isTriggered, description, error: false, error_messages: [] };
  }
  return {
    async test(streamId: string, request: CreateConditionRequest): Promise<ConditionTest> {
      await requireStream(metadata, streamId);
      return test(streamId, completeCondition(request));
    },
    async testStored(streamId: string, id: string): Promise<ConditionTest> {
      const record = await requireCondition({ metadata }, streamId, id);
      const result = await test(streamId, record.condition);
      const [problem] = result.error_messages;
      if (problem !== undefined) throw new InvalidError(problem.message, { details: { ...result } });
      return result;
    },
  };
}

const HOUR_MS = 3_600_000;
/** An alert may be open for months. */
const MAX_VALUES_MS = 31 * 24 * HOUR_MS;

function createPreviewing({ metadata, clock, settings }: RuleContext, previews: Previews) {
  function ruleOf(streams: readonly string[], stored: AlertRuleRecord['condition']) {
    const { condition } = conditionOf(stored);
    const messages = { streams, basis: condition.basis };
    return { condition, messages, intervalMs: settings.checkIntervalMs };
  }
  function aroundAlert(alert: AlertRecord, signal: AbortSignal | undefined): Promise<ConditionPreview> {
    const rule = ruleOf(alert.streams, { type: alert.conditionType, parameters: alert.parameters });
    const from = alert.triggeredAt - HOUR_MS;
    const to = Math.min(alert.resolvedAt ?? clock.now(), from + MAX_VALUES_MS);
    return previews.run(rule, { from, to }, { signal });
  }
  return {
    async preview(
      streamId: string,
      request: ConditionPreviewRequest,
      options: PreviewOptions,
    ): Promise<ConditionPreview> {
      await requireStream(metadata, streamId);
      const rule = ruleOf([streamId], completeCondition(request));
      const to = clock.now();
      return previews.run(rule, { from: to - request.hours * HOUR_MS, to }, options);
    },
    async valuesOf(
      reader: Pick<Principal, 'can'>,
      streamId: string,
      alertId: string,
      signal?: AbortSignal,
    ): Promise<ConditionPreview> {
      await requireStream(metadata, streamId);
      const alert = await requireReadableAlert(metadata, reader, alertId);
      if (!alert.streams.includes(streamId)) throw new NotFoundError(`Alert ${alertId} not found!`);
      return aroundAlert(alert, signal);
    },
    async valuesOfAny(reader: Pick<Principal, 'can'>, alertId: string, signal?: AbortSignal) {
      return aroundAlert(await requireReadableAlert(metadata, reader, alertId), signal);
    },
  };
}

/** As it is stored: with the short id of its type, and with defaults. */
export function completeCondition(request: {
  readonly type: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}): AlertRuleRecord['condition'] {
  const type = requireConditionType(request.type);
  const parameters = type.complete(request.parameters);
  if (parameters instanceof InvalidConfiguration) throw invalidParameters(parameters);
  return { type: type.id, parameters };
}

async function requireCondition(
  { metadata }: Pick<RuleContext, 'metadata'>,
  streamId: string,
  id: string,
): Promise<AlertRuleRecord> {
  await requireStream(metadata, streamId);
  const record = await findRule(metadata, id);
  if (record === undefined || record.streams.length !== 1 || record.streams[0] !== streamId) {
    throw conditionNotFound(streamId, id);
  }
  return record;
}

function conditionNotFound(streamId: string, id: string): NotFoundError {
  return new NotFoundError(`Stream ${streamId} has no alert condition ${id}!`);
}

/** Of what people edit about a condition; it is muted and switched off elsewhere. */
function conditionRevision({ title, condition }: AlertRuleRecord): string {
  return revisionOf([title, condition]);
}

/** Undefined for a condition of a newer version of the program. */
export function conditionView(
  record: AlertRuleRecord,
  status: RuleStatus | undefined,
): AlertConditionView | undefined {
  const [streamId] = record.streams;
  if (streamId === undefined || status === undefined) return undefined;
  let compiled: ReturnType<typeof conditionOf>;
  try {
    compiled = conditionOf(record.condition);
  } catch (error) {
    if (error instanceof InvalidError) return undefined;
    throw error;
  }
  const { type, condition } = compiled;
  return {
    id: record.id,
    type: type.wireType,
    title: record.title === '' ? null : record.title,
    creator_user_id: record.creator,
    created_at: formatTimestamp(record.createdAt),
    parameters: { ...record.condition.parameters },
    in_grace: status.isInGrace,
    grace: condition.graceMs / 60_000,
    backlog: condition.backlog,
    description: condition.summary,
    stream_id: streamId,
    state: ruleStateView(record, status.state),
    revision: conditionRevision(record),
  };
}

export function ruleStateView({ enabled }: AlertRuleRecord, state: AlertRuleState): RuleStateView {
  return {
    enabled,
    evaluated_until: formatTimestamp(state.evaluatedUntil),
    failures: state.failures,
    last_error: state.lastError,
    muted_until: state.mutedUntil === null ? null : formatTimestamp(state.mutedUntil),
  };
}

function conditionTypeViews(): ConditionTypes {
  return Object.fromEntries(
    CONDITION_TYPES.types.map(({ wireType, name, description, fields }) => [
      wireType,
      {
        type: wireType,
        name,
        human_name: name,
        description,
        requested_configuration: requestedConfiguration(fields),
        link_to_docs: '',
      },
    ]),
  );
}
