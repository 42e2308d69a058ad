/** Rules as event definitions, over any streams. */
import {
  type EventDefinitionPage,
  type EventDefinitionPageQuery,
  type EventDefinitionRequest,
  type EventDefinitionValidation,
  type EventDefinitionView,
  formatTimestamp,
} from '@millrace/contract';
import {
  type Caller,
  EVENT_STREAM_ID,
  ForbiddenError,
  InvalidError,
  NotFoundError,
  type Principal,
  recordAction,
  ServiceError,
} from '#core/index.ts';
import type { AlertRuleProperties, AlertRuleRecord, AlertRuleState, Metadata } from '#metadata/index.ts';
import { type AlertDeliveries, mayReadNotification } from '../notifications/service.ts';
import {
  findRule,
  mayRead,
  muteRule,
  type RuleContext,
  removeRule,
  usableNotifications,
} from '../rules/access.ts';
import { checkEventFields } from '../rules/event-fields.ts';
import { ruleStateView } from '../rules/stream-conditions.ts';
import { conditionOfConfig, configOf, scheduleOfConfig } from './definition-config.ts';

type Reader = Pick<Principal, 'can'>;

/**
 * Contract: all throw `NotFoundError` for an unknown definition, `ForbiddenError` for streams that the caller may not
 * read, and `InvalidError` for what cannot be evaluated.
 */
export interface EventDefinitions {
  /** Those that the reader may read, sorted by title. */
  page(reader: Reader, query: EventDefinitionPageQuery): Promise<EventDefinitionPage>;
  get(reader: Reader, id: string): Promise<EventDefinitionView>;
  create(caller: Caller, request: EventDefinitionRequest, isScheduled: boolean): Promise<EventDefinitionView>;
  update(caller: Caller, id: string, request: EventDefinitionRequest): Promise<EventDefinitionView>;
  remove(caller: Caller, id: string): Promise<void>;
  /** Switches it on or off. When it is switched on, it does not look back. */
  schedule(caller: Caller, id: string, isScheduled: boolean): Promise<void>;
  /** The copy is switched off. */
  duplicate(caller: Caller, id: string): Promise<EventDefinitionView>;
  mute(caller: Caller, id: string, minutes: number): Promise<void>;
  /** Takes all notices of it that wait to be sent out of the queue. */
  clearQueue(caller: Caller, id: string): Promise<void>;
  /** Evaluates it now, up to this moment, without waiting for late messages. */
  execute(caller: Caller, id: string): Promise<void>;
  validate(caller: Caller, request: EventDefinitionRequest): Promise<EventDefinitionValidation>;
}

export interface EventDefinitionDeps extends RuleContext {
  readonly evaluate: (ruleId: string) => Promise<void>;
  readonly deliveries: Pick<AlertDeliveries, 'cancelAll'>;
}

export function createEventDefinitions(deps: EventDefinitionDeps): EventDefinitions {
  return { ...createReads(deps), ...createChanges(deps), ...createActions(deps) };
}

function permissionsOf(id: string): string[] {
  return ['read', 'edit', 'delete', 'execute'].map((action) => `eventdefinitions:${action}:${id}`);
}

async function requireRule({ metadata }: RuleContext, id: string): Promise<AlertRuleRecord> {
  const record = await findRule(metadata, id);
  if (record === undefined) throw new NotFoundError(`Event definition ${id} not found!`);
  return record;
}

async function viewOf(deps: RuleContext, record: AlertRuleRecord): Promise<EventDefinitionView> {
  const [state] = await deps.metadata.repositories.alertRules.states(record.id);
  if (state === undefined) throw new NotFoundError(`Event definition ${record.id} not found!`);
  const matched = await deps.metadata.repositories.alerts.lastTriggered([record.id]);
  return definitionView(record, state, matched.get(record.id), deps.settings);
}

function createReads(deps: RuleContext) {
  const { alertRules } = deps.metadata.repositories;
  return {
    async page(reader: Reader, query: EventDefinitionPageQuery): Promise<EventDefinitionPage> {
      const wanted = query.query.trim().toLowerCase();
      const readable = (await alertRules.list()).filter((rule) => mayRead(reader, rule));
      const found = readable.filter(({ title, description }) =>
        `${title}\n${description}`.toLowerCase().includes(wanted),
      );
      found.sort((left, right) => (left.title < right.title ? -1 : 1));
      if (query.order === 'desc') found.reverse();
      const states = new Map((await alertRules.states()).map((state) => [state.ruleId, state]));
      const start = (query.page - 1) * query.per_page;
      const shown = found.slice(start, start + query.per_page);
      const matched = await deps.metadata.repositories.alerts.lastTriggered(shown.map(({ id }) => id));
      const elements = shown.flatMap((record) => {
        const state = states.get(record.id);
        return state === undefined
          ? []
          : [definitionView(record, state, matched.get(record.id), deps.settings)];
      });
      const numbers = {
        total: found.length,
        count: elements.length,
        page: query.page,
        per_page: query.per_page,
      };
      return {
        ...numbers,
        grand_total: readable.length,
        query: query.query,
        event_definitions: elements,
        elements,
        pagination: numbers,
      };
    },
    async get(reader: Reader, id: string): Promise<EventDefinitionView> {
      const record = await requireRule(deps, id);
      if (!mayRead(reader, record)) {
        throw new ForbiddenError(`Not authorized to access event definition ${id}`, {
          needs: `eventdefinitions:read:${id}`,
        });
      }
      return viewOf(deps, record);
    },
  };
}

function createChanges(deps: RuleContext) {
  const { metadata, audit, clock } = deps;

  async function insert(caller: Caller, properties: AlertRuleProperties): Promise<EventDefinitionView> {
    const { principal } = caller;
    const record = await metadata.transaction(async ({ repositories }) => {
      const inserted = await repositories.alertRules.insert({ ...properties, creator: principal.username });
      const missing = permissionsOf(inserted.id).filter((permission) => !principal.can(permission));
      if (missing.length > 0) await repositories.grants.add(principal.userId, missing);
      return inserted;
    });
    await recordAction(audit, caller, 'alert_rule.create', { objectId: record.id, after: record });
    return viewOf(deps, record);
  }

  return {
    async create(
      caller: Caller,
      request: EventDefinitionRequest,
      isScheduled: boolean,
    ): Promise<EventDefinitionView> {
      return insert(caller, { ...(await propertiesOf(deps, caller, request)), enabled: isScheduled });
    },

    async update(caller: Caller, id: string, request: EventDefinitionRequest): Promise<EventDefinitionView> {
      const before = await requireRule(deps, id);
      const properties = await propertiesOf(deps, caller, request, before);
      const after = await metadata.repositories.alertRules.update(id, properties);
      if (after === undefined) throw new NotFoundError(`Event definition ${id} not found!`);
      await recordAction(audit, caller, 'alert_rule.update', { objectId: id, before, after });
      return viewOf(deps, after);
    },

    async remove(caller: Caller, id: string): Promise<void> {
      await removeRule(deps, caller, await requireRule(deps, id));
      await metadata.repositories.grants.removeFromAll(permissionsOf(id));
    },

    async duplicate(caller: Caller, id: string): Promise<EventDefinitionView> {
      const original = await requireRule(deps, id);
      requireReadable(caller, original.streams);
      const notifications = await usableNotifications(metadata, caller.principal, original);
      return insert(caller, { ...original, notifications, title: `COPY-${original.title}`, enabled: false });
    },

    async schedule(caller: Caller, id: string, isScheduled: boolean): Promise<void> {
      const before = await requireRule(deps, id);
      if (before.enabled === isScheduled) return;
      await metadata.transaction(async ({ repositories }) => {
        await repositories.alertRules.update(id, { ...before, enabled: isScheduled });
        if (isScheduled) await repositories.alertRules.restart(id, clock.now());
      });
      const action = isScheduled ? 'alert_rule.enable' : 'alert_rule.disable';
      await recordAction(audit, caller, action, { objectId: id });
    },
  };
}

function createActions(deps: EventDefinitionDeps) {
  return {
    async mute(caller: Caller, id: string, minutes: number): Promise<void> {
      await muteRule(deps, caller, await requireRule(deps, id), minutes);
    },
    async clearQueue(caller: Caller, id: string): Promise<void> {
      await requireRule(deps, id);
      await deps.deliveries.cancelAll(caller, { rule_id: id });
    },
    async execute(caller: Caller, id: string): Promise<void> {
      const { enabled, title } = await requireRule(deps, id);
      if (!enabled)
        throw new InvalidError(`The event definition "${title}" is switched off. Schedule it first.`);
      await deps.evaluate(id);
      await recordAction(deps.audit, caller, 'alert_rule.execute', { objectId: id });
    },
    async validate(caller: Caller, request: EventDefinitionRequest): Promise<EventDefinitionValidation> {
      try {
        await propertiesOf(deps, caller, request);
        return { failed: false, errors: {}, error_context: {} };
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        const errors: Record<string, string[]> = {};
        for (const { path, message } of error.problems) {
          const place = path === '' ? 'config' : path.replace(/^parameters\./, 'config.');
          errors[place] = [...(errors[place] ?? []), message];
        }
        return { failed: true, errors, error_context: {} };
      }
    },
  };
}

async function propertiesOf(
  { metadata, settings }: RuleContext,
  caller: Caller,
  request: EventDefinitionRequest,
  record?: AlertRuleRecord,
): Promise<AlertRuleProperties> {
  const streams = [...new Set(request.config.streams ?? [])];
  requireReadable(caller, streams);
  const known = new Set((await metadata.repositories.streams.list()).map(({ id }) => id));
  const unknown = streams.find((id) => !known.has(id));
  if (unknown !== undefined) {
    throw new InvalidError(`There is no stream ${JSON.stringify(unknown)}.`, { path: 'config.streams' });
  }
  const before = record && { record, checkIntervalMs: settings.checkIntervalMs };
  const extras = {
    remediation_steps: request.remediation_steps ?? '',
    field_spec: request.field_spec ?? {},
    key_spec: request.key_spec ?? [],
  };
  checkEventFields(extras);
  const notifications = (request.notifications ?? []).map((each) => ({
    notificationId: each.notification_id,
    parameters: each.notification_parameters ?? null,
  }));
  await requireNotifications(metadata, caller, notifications, record?.notifications ?? []);
  return {
    title: request.title.trim(),
    description: request.description ?? '',
    enabled: record?.enabled ?? true,
    streams,
    condition: conditionOfConfig(request, before),
    schedule: scheduleOfConfig(request),
    notifiesStream: record?.notifiesStream ?? false,
    notifications,
    priority: request.priority ?? 2,
    isAlert: request.alert ?? notifications.length > 0,
    extras,
  };
}

/** Those that the rule has already may stay: they may have been deleted since, or be the choice of somebody else. */
async function requireNotifications(
  { repositories }: Metadata,
  { principal }: Caller,
  wanted: AlertRuleProperties['notifications'],
  before: AlertRuleProperties['notifications'],
): Promise<void> {
  const kept = new Set(before.map(({ notificationId }) => notificationId));
  const all = await repositories.alertNotifications.list();
  const known = new Map(all.map((each) => [each.id, each]));
  for (const [at, { notificationId: id }] of wanted.entries()) {
    if (kept.has(id)) continue;
    const found = known.get(id);
    if (found === undefined) {
      throw new InvalidError(`There is no notification ${JSON.stringify(id)}.`, {
        path: `notifications[${at}].notification_id`,
      });
    }
    if (!mayReadNotification(principal, found)) {
      throw new ForbiddenError(`Not authorized to use notification ${id}`, {
        needs: `eventnotifications:read:${id}`,
      });
    }
  }
}

function requireReadable({ principal }: Caller, streams: readonly string[]): void {
  const forbidden = streams.filter((id) => !principal.can('streams:read', id));
  if (forbidden.length > 0) {
    throw new ForbiddenError(`Not authorized to access stream ${forbidden.join(', ')}`, {
      needs: `streams:read:${forbidden.join(',')}`,
    });
  }
  if (streams.length === 0 && !principal.can('streams:read')) {
    throw new ForbiddenError('Not authorized to access all streams; name those that the rule looks at.', {
      needs: 'streams:read',
    });
  }
}

export function definitionView(
  record: AlertRuleRecord,
  state: AlertRuleState,
  matchedAt: number | undefined,
  { checkIntervalMs }: RuleContext['settings'],
): EventDefinitionView {
  const { extras, condition } = record;
  const { parameters } = condition;
  return {
    id: record.id,
    title: record.title,
    description: record.description,
    remediation_steps: typeof extras.remediation_steps === 'string' ? extras.remediation_steps : '',
    updated_at: formatTimestamp(record.updatedAt),
    matched_at: matchedAt === undefined ? null : formatTimestamp(matchedAt),
    priority: record.priority,
    alert: record.isAlert,
    config: configOf(record, checkIntervalMs),
    field_spec: (extras.field_spec ?? {}) as Record<string, unknown>,
    key_spec: (extras.key_spec ?? []) as string[],
    notification_settings: {
      grace_period_ms: Number(parameters.grace ?? 0) * 60_000,
      backlog_size: Number(parameters.backlog ?? 0),
    },
    notifications: record.notifications.map(({ notificationId, parameters: own }) => ({
      notification_id: notificationId,
      notification_parameters: own === null ? null : { ...own },
    })),
    storage: [{ type: 'persist-to-streams-v1', streams: [EVENT_STREAM_ID] }],
    state: record.enabled ? 'ENABLED' : 'DISABLED',
    rule_state: ruleStateView(record, state),
  };
}
