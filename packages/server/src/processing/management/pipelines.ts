import type {
  PagingQuery,
  PipelineConnectionView,
  PipelineRuleView,
  PipelineSourceRequest,
  PipelineView,
} from '@millrace/contract';
import type { Pipeline } from '@millrace/rules';
import {
  type AuditLog,
  type Caller,
  ForbiddenError,
  InvalidError,
  NotFoundError,
  onConflict,
  type PagedElements,
  type Principal,
  pageOf,
  requireRevision,
} from '#core/index.ts';
import type { Metadata, PipelineProperties, PipelineRecord } from '#metadata/index.ts';
import type { RuleKnowledge } from '../rules/index.ts';
import { readKnowledge } from './knowledge.ts';
import { ruleUses, updateRule } from './rule-use.ts';
import { requirePipeline, requireRule } from './sources.ts';
import { parsedPipelineView, parsedRuleView, pipelineView, ruleView, sourceRevision } from './views.ts';

type Reader = Pick<Principal, 'can'>;

/**
 * Rules, or pipelines, as people change them. A change has been stored and audited, and workers are being told, when
 * its promise resolves. A source with problems is refused with `PipelineSourceError`.
 */
export interface PipelineSources<View> {
  /** Those the reader may read, sorted by title. */
  list(reader: Reader): Promise<View[]>;
  /** A page of those that contain the query and that the reader may read. */
  page(
    reader: Reader,
    query: PagingQuery,
  ): Promise<{ elements: View[]; numbers: PagedElements<View>['numbers'] }>;
  /** Those with these titles that the reader may read. */
  listNamed(reader: Reader, titles: readonly string[]): Promise<View[]>;
  get(reader: Reader, id: string): Promise<View>;
  parse(request: PipelineSourceRequest): Promise<View>;
  create(caller: Caller, request: PipelineSourceRequest): Promise<View>;
  update(caller: Caller, id: string, request: PipelineSourceRequest): Promise<View>;
  remove(caller: Caller, id: string): Promise<void>;
}

export interface PipelineConnections {
  list(reader: Reader): Promise<PipelineConnectionView[]>;
  get(streamId: string): Promise<PipelineConnectionView>;
  /**
   * Rejects with `ForbiddenError` unless the caller may edit the connections of all these streams and read the streams
   * and the pipelines. What the caller may not read stays connected.
   */
  connectStream(
    caller: Caller,
    streamId: string,
    pipelineIds: readonly string[],
  ): Promise<PipelineConnectionView>;
  connectPipeline(
    caller: Caller,
    pipelineId: string,
    streamIds: readonly string[],
  ): Promise<PipelineConnectionView[]>;
}

export interface PipelinesDeps {
  readonly metadata: Metadata;
  readonly audit: AuditLog;
  /** Tells the workers. */
  readonly changed: () => Promise<void>;
  /** Ends what operators were told of a rule that did not run. */
  readonly ruleEnabled: (ruleId: string) => Promise<unknown>;
}

/** How one of both kinds is read, stored and shown, given what rules may name at the moment. */
interface Kind<Record extends PipelineRecord, View> {
  readonly name: 'pipeline' | 'pipeline_rule';
  readonly label: string;
  properties(request: PipelineSourceRequest, known: RuleKnowledge): PipelineProperties;
  view(record: Record, known: RuleKnowledge): View;
  parsed(request: PipelineSourceRequest, known: RuleKnowledge): View;
  /** The views with what depends on the reader. */
  shown(reader: Reader, views: readonly View[]): Promise<View[]>;
  /** Undefined if there is no such record any more. Rejects with what `look` throws when it sees what is stored. */
  update(
    caller: Caller,
    id: string,
    properties: PipelineProperties,
    look: (stored: Record) => void,
  ): Promise<Record | undefined>;
  readonly table: {
    insert(properties: PipelineProperties): Promise<Record>;
    remove(id: string): Promise<boolean>;
    find(id: string): Promise<Record | undefined>;
    list(): Promise<readonly Record[]>;
  };
}

function createSources<Record extends PipelineRecord, View>(
  { metadata, audit, changed }: PipelinesDeps,
  kind: Kind<Record, View>,
  updated: (id: string) => Promise<unknown> = async () => undefined,
): PipelineSources<View> {
  const { table } = kind;
  const known = () => readKnowledge(metadata);
  const unknown = (id: string) => new NotFoundError(`There is no ${kind.label} ${id}.`);

  async function views(reader: Reader, records: readonly Record[]): Promise<View[]> {
    const knowledge = await known();
    const all = records.map((record) => kind.view(record, knowledge));
    return kind.shown(reader, all);
  }

  async function viewOf(reader: Reader, record: Record): Promise<View> {
    const [view] = await views(reader, [record]);
    return view ?? kind.view(record, await known());
  }

  async function require(id: string): Promise<Record> {
    const found = id.includes('\0') ? undefined : await table.find(id);
    if (found === undefined) throw unknown(id);
    return found;
  }

  async function readable(reader: Reader): Promise<Record[]> {
    const all = await table.list();
    return all.filter(({ id }) => reader.can(`${kind.name}:read`, id));
  }

  async function done(caller: Caller, verb: string, before: Record | undefined, after: Record | undefined) {
    await changed();
    const knowledge = await known();
    const views = {
      before: before && kind.view(before, knowledge),
      after: after && kind.view(after, knowledge),
    };
    await recordChange(audit, caller, { kind: kind.name, verb, id: (after ?? before)?.id, ...views });
  }

  const refuseTaken = <T>(title: string, work: Promise<T>) =>
    onConflict(work, () => nameTaken(kind.label, title));

  return {
    list: async (reader) => views(reader, await readable(reader)),
    async page(reader, query) {
      const { elements, numbers } = pageOf(await readable(reader), query, SEARCHED, SORTED);
      return { elements: await views(reader, elements), numbers };
    },
    async listNamed(reader, titles) {
      const found = (await readable(reader)).filter(({ title }) => titles.includes(title));
      return views(reader, found);
    },
    get: async (reader, id) => viewOf(reader, await require(id)),
    parse: async (request) => kind.parsed(request, await known()),
    async create(caller, request) {
      const properties = kind.properties(request, await known());
      const stored = await refuseTaken(properties.title, table.insert(properties));
      await done(caller, 'create', undefined, stored);
      return viewOf(caller.principal, stored);
    },
    async update(caller, id, request) {
      await require(id);
      const properties = kind.properties(request, await known());
      const { look, replaced } = revisionCheck<Record>(kind.label, request.revision);
      const after = await refuseTaken(properties.title, kind.update(caller, id, properties, look));
      if (after === undefined) throw unknown(id);
      await updated(id);
      await done(caller, 'update', replaced(), after);
      return viewOf(caller.principal, after);
    },
    async remove(caller, id) {
      const before = await require(id);
      if (!(await table.remove(id))) throw unknown(id);
      await updated(id);
      await done(caller, 'delete', before, undefined);
    },
  };
}

/**
 * `look` throws when what is stored is not what the change was made from. Somebody else may change it at the same time,
 * so only what `look` has seen inside the transaction was `replaced`.
 */
function revisionCheck<Record extends PipelineProperties>(label: string, wanted: string | null | undefined) {
  let seen: Record | undefined;
  return {
    look(stored: Record) {
      requireRevision({ what: `${label} "${stored.title}"`, revision: sourceRevision(stored), wanted });
      seen = stored;
    },
    replaced: () => seen,
  };
}

const SEARCHED = {
  title: ({ title }: PipelineProperties) => title,
  description: ({ description }: PipelineProperties) => description,
  source: ({ source }: PipelineProperties) => source,
};
/** Times of the same length sort as texts. */
const SORTED = {
  created_at: ({ createdAt }: PipelineRecord) => String(createdAt).padStart(16, '0'),
  modified_at: ({ updatedAt }: PipelineRecord) => String(updatedAt).padStart(16, '0'),
};

function nameTaken(label: string, title: string): InvalidError {
  return new InvalidError(`There is another ${label} with the name "${title}".`);
}

interface Change {
  readonly kind: 'pipeline' | 'pipeline_rule';
  readonly verb: string;
  readonly id: string | undefined;
  readonly before: unknown;
  readonly after: unknown;
}

async function recordChange(
  audit: AuditLog,
  { principal, remoteAddress }: Caller,
  { kind, verb, id, before, after }: Change,
): Promise<void> {
  await audit.record({
    actor: principal.username,
    address: remoteAddress,
    action: `${kind}.${verb}`,
    objectType: kind,
    objectId: id,
    before,
    after,
  });
}

export function createPipelineRules(deps: PipelinesDeps): PipelineSources<PipelineRuleView> {
  const { metadata, audit } = deps;
  const { pipelines, pipelineRules } = metadata.repositories;
  const properties = (request: PipelineSourceRequest, known: RuleKnowledge) => ({
    title: requireRule(request.source, known),
    description: request.description ?? '',
    source: request.source,
  });
  return createSources(
    deps,
    {
      name: 'pipeline_rule',
      label: 'rule',
      properties,
      view: ruleView,
      parsed: (request, known) => parsedRuleView(properties(request, known)),
      async shown(reader, views) {
        if (views.length === 0) return [];
        const readable = (await pipelines.list()).filter(({ id }) => reader.can('pipeline:read', id));
        const uses = ruleUses(readable);
        return views.map((view) => ({ ...view, used_in_pipelines: [...(uses.get(view.title) ?? [])] }));
      },
      async update(caller, id, after, look) {
        const renamed = await updateRule({ metadata, caller }, id, after, look);
        for (const { before: old, after: pipeline } of renamed.pipelines) {
          const views = { before: pipelineView(old), after: pipelineView(pipeline) };
          await recordChange(audit, caller, { kind: 'pipeline', verb: 'update', id: pipeline.id, ...views });
        }
        return renamed.rule;
      },
      table: pipelineRules,
    },
    deps.ruleEnabled,
  );
}

export function createPipelines(deps: PipelinesDeps): PipelineSources<PipelineView> {
  const { pipelines } = deps.metadata.repositories;
  const propertiesOf = ({ source, description }: PipelineSourceRequest, { name }: Pipeline) => ({
    title: name,
    description: description ?? '',
    source,
  });
  return createSources(deps, {
    name: 'pipeline',
    label: 'pipeline',
    properties: (request) => propertiesOf(request, requirePipeline(request.source)),
    view: pipelineView,
    shown: async (_reader, views) => [...views],
    update: (_caller, id, properties, look) => pipelines.update(id, properties, look),
    parsed(request) {
      const pipeline = requirePipeline(request.source);
      return parsedPipelineView(propertiesOf(request, pipeline), pipeline);
    },
    table: pipelines,
  });
}

export function createPipelineConnections({ metadata, audit, changed }: PipelinesDeps): PipelineConnections {
  const { pipelines, streams } = metadata.repositories;

  async function views(): Promise<PipelineConnectionView[]> {
    const all = await pipelines.connections();
    return all.map(({ streamId, pipelineIds }) => ({
      id: streamId,
      stream_id: streamId,
      pipeline_ids: [...pipelineIds],
    }));
  }

  async function requireAll(what: 'stream' | 'pipeline', ids: readonly string[]): Promise<void> {
    const table = what === 'stream' ? streams : pipelines;
    const known = new Set((await table.list()).map(({ id }) => id));
    const unknown = ids.find((id) => !known.has(id));
    if (unknown !== undefined) throw new NotFoundError(`There is no ${what} ${unknown}.`);
  }

  async function done(caller: Caller, objectId: string, before: unknown, after: unknown): Promise<void> {
    await changed();
    await audit.record({
      actor: caller.principal.username,
      address: caller.remoteAddress,
      action: 'pipeline_connection.update',
      objectType: 'pipeline_connection',
      objectId,
      before,
      after,
    });
  }

  const ofStream = async (streamId: string) => (await views()).find((each) => each.stream_id === streamId);
  const ofPipeline = async (id: string) => (await views()).filter((each) => each.pipeline_ids.includes(id));

  return {
    async list(reader) {
      return (await views()).filter(({ stream_id }) => reader.can('pipeline_connection:read', stream_id));
    },
    async get(streamId) {
      const found = await ofStream(streamId);
      if (found === undefined) throw new NotFoundError(`The stream ${streamId} has no pipelines.`);
      return found;
    },
    async connectStream(caller, streamId, pipelineIds) {
      requireAllowed(caller, [streamId], pipelineIds);
      await requireAll('stream', [streamId]);
      await requireAll('pipeline', pipelineIds);
      const before = await ofStream(streamId);
      await pipelines.connectStream(streamId, pipelineIds, (id) => !mayRead(caller, 'pipeline', id));
      const after = (await ofStream(streamId)) ?? { id: streamId, stream_id: streamId, pipeline_ids: [] };
      await done(caller, streamId, before, after);
      return after;
    },
    async connectPipeline(caller, pipelineId, streamIds) {
      const before = await ofPipeline(pipelineId);
      const connected = new Set(before.map(({ stream_id }) => stream_id));
      // What is connected already and sent back as it was listed needs no more than the list.
      const isListed = (id: string) =>
        connected.has(id) && caller.principal.can('pipeline_connection:read', id);
      const added = streamIds.filter((id) => !isListed(id));
      requireAllowed(caller, added, [pipelineId]);
      await requireAll('pipeline', [pipelineId]);
      await requireAll('stream', streamIds);
      await pipelines.connectPipeline(pipelineId, streamIds, (id) => !mayDisconnect(caller, id));
      const after = await ofPipeline(pipelineId);
      await done(caller, pipelineId, before, after);
      return after.filter(({ stream_id }) => mayRead(caller, 'stream', stream_id));
    },
  };
}

function mayRead({ principal }: Caller, what: 'stream' | 'pipeline', id: string): boolean {
  return principal.can(what === 'stream' ? 'streams:read' : 'pipeline:read', id);
}

/** Whoever does not see that a stream is connected cannot mean to disconnect it. */
function mayDisconnect(caller: Caller, streamId: string): boolean {
  const may = (permission: string) => caller.principal.can(permission, streamId);
  return ['streams:read', 'pipeline_connection:read', 'pipeline_connection:edit'].every(may);
}

/** A pipeline can copy messages into other streams: it is for streams whose messages the caller may read anyway. */
function requireAllowed(caller: Caller, streamIds: readonly string[], pipelineIds: readonly string[]): void {
  const stream = streamIds.find(
    (id) => !mayRead(caller, 'stream', id) || !caller.principal.can('pipeline_connection:edit', id),
  );
  if (stream !== undefined) {
    throw new ForbiddenError(`Not authorized to access stream ${stream}`, {
      needs: `${mayRead(caller, 'stream', stream) ? 'pipeline_connection:edit' : 'streams:read'}:${stream}`,
    });
  }
  const pipeline = pipelineIds.find((id) => !mayRead(caller, 'pipeline', id));
  if (pipeline !== undefined)
    throw new ForbiddenError(`Not authorized to access pipeline ${pipeline}`, {
      needs: `pipeline:read:${pipeline}`,
    });
}
