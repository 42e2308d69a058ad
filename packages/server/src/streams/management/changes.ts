import {
  type CloneStreamRequest,
  type CreateStreamRequest,
  MAX_STREAM_RULES,
  type ReplaceRulesRequest,
  type Stream,
  type StreamRuleRequest,
  type UpdateStreamRequest,
} from '@millrace/contract';
import { type Caller, ConflictError, InvalidError, NotFoundError } from '#core/index.ts';
import type { StreamRecord, StreamRuleProperties } from '#metadata/index.ts';
import { requireValidRule, requireValidRules } from '../index.ts';
import {
  permissionsOf,
  recordChange,
  requireEditable,
  requireIndexSet,
  type StreamContext,
  streamNotFound,
  viewFor,
} from './access.ts';
import { requireRule } from './reads.ts';
import { requireStreamRevision } from './revision.ts';
import { ruleOfRequest } from './view.ts';

/** When a change resolves, it is stored, recorded in the audit log and sent to the workers. */
export interface StreamChanges {
  /** Returns the id of the new stream. It is paused, and its creator may do everything with it. */
  create(caller: Caller, request: CreateStreamRequest): Promise<string>;
  /** Copies rules, alert conditions and notifications, and outputs if the caller may assign them. */
  clone(caller: Caller, id: string, request: CloneStreamRequest): Promise<string>;
  update(caller: Caller, id: string, request: UpdateStreamRequest): Promise<Stream>;
  /** Messages that were routed before stay where they are. Its open alerts are resolved; their history stays. */
  remove(caller: Caller, id: string): Promise<void>;
  pause(caller: Caller, id: string): Promise<void>;
  /** Also starts a disabled stream again, with no faults. */
  resume(caller: Caller, id: string): Promise<void>;
  /** From now on messages of these streams go to that index set. */
  assignIndexSet(caller: Caller, indexSetId: string, streamIds: readonly string[]): Promise<void>;
  /** All rules at once, so that no message meets half of a change. */
  replaceRules(caller: Caller, streamId: string, request: ReplaceRulesRequest): Promise<Stream>;
  createRule(caller: Caller, streamId: string, request: StreamRuleRequest): Promise<string>;
  updateRule(caller: Caller, streamId: string, ruleId: string, request: StreamRuleRequest): Promise<string>;
  removeRule(caller: Caller, streamId: string, ruleId: string): Promise<void>;
}

export function createStreamChanges(context: StreamContext): StreamChanges {
  return {
    ...createCreation(context),
    ...createEditing(context),
    ...createStateChanges(context),
    ...createRuleChanges(context),
  };
}

function createCreation(context: StreamContext) {
  const { metadata, publisher } = context;
  type NewStream = Parameters<typeof metadata.repositories.streams.insert>[0];

  async function insert(
    caller: Caller,
    stream: Omit<NewStream, 'creator' | 'state'>,
    rules: readonly StreamRuleProperties[],
    original?: StreamRecord,
  ): Promise<string> {
    requireValidRules(rules);
    const { principal } = caller;
    const { stored, attached } = await metadata.transaction(async (scope) => {
      const { repositories } = scope;
      const inserted = await repositories.streams.insert(
        { ...stream, creator: principal.username, state: 'paused' },
        rules.map((rule) => ({ ...rule, contentPack: stream.contentPack })),
        // Whoever may not give a stream outputs gets a copy without.
        principal.can('stream_outputs:create') ? original?.outputIds : [],
      );
      const copied = original && (await context.attachments().copy(scope, caller, original.id, inserted.id));
      // Grants lock their user, and rules are locked before users everywhere: the other order could deadlock.
      const missing = permissionsOf(inserted.id).filter((permission) => !principal.can(permission));
      if (missing.length > 0) await repositories.grants.add(principal.userId, missing);
      return { stored: inserted, attached: copied };
    });
    await recordChange(context, caller, 'create', undefined, stored);
    await attached?.();
    await publisher.refresh();
    return stored.id;
  }

  return {
    create: async (caller: Caller, request: CreateStreamRequest): Promise<string> =>
      insert(
        caller,
        {
          title: request.title.trim(),
          description: request.description ?? '',
          matchingType: request.matching_type || 'AND',
          removeMatches: request.remove_matches_from_default_stream ?? false,
          indexSetId: await requireIndexSet(context, request.index_set_id),
          contentPack: request.content_pack ?? null,
        },
        (request.rules ?? []).map(ruleOfRequest),
      ),

    async clone(caller: Caller, id: string, request: CloneStreamRequest): Promise<string> {
      const source = await requireEditable(context, id, 'cloned');
      return insert(
        caller,
        {
          title: request.title.trim(),
          description: request.description ?? source.description,
          matchingType: source.matchingType,
          removeMatches: request.remove_matches_from_default_stream ?? source.removeMatches,
          indexSetId: await requireIndexSet(context, request.index_set_id || source.indexSetId),
          contentPack: null,
        },
        source.rules,
        source,
      );
    },
  };
}

function createEditing(context: StreamContext) {
  const { metadata, publisher, operators } = context;
  const { streams } = metadata.repositories;

  async function change(
    caller: Caller,
    before: StreamRecord,
    changes: Parameters<typeof streams.update>[1],
    revision?: string | null,
  ): Promise<StreamRecord> {
    const after = await streams.update(before.id, changes, (stored) =>
      requireStreamRevision(stored, revision),
    );
    if (after === undefined) throw streamNotFound(before.id);
    await recordChange(context, caller, 'update', before, after);
    return after;
  }

  return {
    async update(caller: Caller, id: string, request: UpdateStreamRequest): Promise<Stream> {
      const before = await requireEditable(context, id, 'changed');
      const { remove_matches_from_default_stream: removeMatches } = request;
      const changes = {
        ...(request.title && { title: request.title.trim() }),
        ...(request.description && { description: request.description }),
        ...(request.matching_type && { matchingType: request.matching_type }),
        ...(typeof removeMatches === 'boolean' && { removeMatches }),
        ...(request.index_set_id && { indexSetId: await requireIndexSet(context, request.index_set_id) }),
      };
      const after = await change(caller, before, changes, request.revision);
      await publisher.refresh();
      return (await viewFor(context, caller.principal))(after);
    },

    async assignIndexSet(caller: Caller, wanted: string, streamIds: readonly string[]): Promise<void> {
      // Its id is part of the path, so it is not found.
      const indexSetId = await requireIndexSet(context, wanted).catch((error: unknown) => {
        throw error instanceof InvalidError ? new NotFoundError(`Index set ${wanted} not found!`) : error;
      });
      const ids = [...new Set(streamIds)];
      const found = await Promise.all(ids.map((id) => requireEditable(context, id, 'changed')));
      for (const stream of found) await change(caller, stream, { indexSetId });
      await publisher.refresh();
    },

    async remove(caller: Caller, id: string): Promise<void> {
      const before = await requireEditable(context, id, 'deleted');
      const detached = await metadata.transaction(async (scope) => {
        const { streams: stored, grants } = scope.repositories;
        // Locks it before anything else, in the order in which a stream is cloned.
        if ((await stored.update(id, {})) === undefined) throw streamNotFound(id);
        const afterwards = await context.attachments().remove(scope, caller, id);
        await stored.remove(id);
        await grants.removeFromAll(permissionsOf(id));
        return afterwards;
      });
      await recordChange(context, caller, 'delete', before, undefined);
      await detached();
      await publisher.refresh();
      await operators.notifications.fix('stream_processing_disabled', id);
    },
  };
}

function createStateChanges(context: StreamContext) {
  const { metadata, publisher, operators } = context;

  async function setState(caller: Caller, id: string, state: 'running' | 'paused', action: string) {
    const before = await requireEditable(context, id, `${action}d`);
    const hasChanged = await metadata.repositories.streams.setState(id, state, null);
    if (hasChanged)
      await recordChange(context, caller, action, before, { ...before, state, stateReason: null });
    await publisher.refresh();
    // It is not disabled any more.
    await operators.notifications.fix('stream_processing_disabled', id);
  }

  return {
    pause: (caller: Caller, id: string): Promise<void> => setState(caller, id, 'paused', 'pause'),
    resume: (caller: Caller, id: string): Promise<void> => setState(caller, id, 'running', 'resume'),
  };
}

function createRuleChanges(context: StreamContext) {
  const { publisher } = context;
  const { streams } = context.metadata.repositories;

  async function recordRules(caller: Caller, action: string, before: StreamRecord): Promise<void> {
    await recordChange(context, caller, `rule.${action}`, before, await streams.find(before.id));
    await publisher.refresh();
  }

  return {
    async replaceRules(caller: Caller, streamId: string, request: ReplaceRulesRequest): Promise<Stream> {
      const before = await requireEditable(context, streamId, 'given other rules');
      const rules = request.rules.map((rule) => ({ ...ruleOfRequest(rule), id: rule.id }));
      requireValidRules(rules);
      const matchingType = request.matching_type ?? before.matchingType;
      const after = await streams.replaceRules(streamId, { matchingType, rules }, (stored) => {
        requireStreamRevision(stored, request.revision);
        for (const { id } of rules) if (id !== undefined) requireRule(stored, id);
      });
      if (after === undefined) throw streamNotFound(streamId);
      await recordChange(context, caller, 'rules.replace', before, after);
      await publisher.refresh();
      return (await viewFor(context, caller.principal))(after);
    },

    async createRule(caller: Caller, streamId: string, request: StreamRuleRequest): Promise<string> {
      const before = await requireEditable(context, streamId, 'given rules');
      if (before.rules.length >= MAX_STREAM_RULES) {
        throw new InvalidError(
          `A stream has at most ${MAX_STREAM_RULES} rules, and "${before.title}" has ${before.rules.length}.`,
        );
      }
      const rule = ruleOfRequest(request);
      requireValidRule(rule);
      const { id } = await streams
        .insertRule(streamId, { ...rule, contentPack: null })
        .catch((error: unknown) => {
          throw error instanceof ConflictError ? streamNotFound(streamId) : error;
        });
      await recordRules(caller, 'create', before);
      return id;
    },

    async updateRule(
      caller: Caller,
      streamId: string,
      ruleId: string,
      request: StreamRuleRequest,
    ): Promise<string> {
      const before = await requireEditable(context, streamId, 'given other rules');
      requireRule(before, ruleId);
      const rule = ruleOfRequest(request);
      requireValidRule(rule);
      if ((await streams.updateRule(streamId, ruleId, rule)) === undefined) throw streamNotFound(streamId);
      await recordRules(caller, 'update', before);
      return ruleId;
    },

    async removeRule(caller: Caller, streamId: string, ruleId: string): Promise<void> {
      const before = await requireEditable(context, streamId, 'given other rules');
      requireRule(before, ruleId);
      await streams.removeRule(streamId, ruleId);
      await recordRules(caller, 'delete', before);
    },
  };
}
