import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type ExportedExtractor,
  type ExtractorImport,
  type ExtractorList,
  type ExtractorRequest,
  type ExtractorsQuery,
  type ExtractorTrialRequest,
  type ExtractorTrialView,
  type ExtractorView,
  MAX_EXTRACTORS_PER_INPUT,
} from '@millrace/contract';
import {
  type AuditLog,
  type Caller,
  type Clock,
  ConflictError,
  InvalidConfiguration,
  InvalidError,
  NotFoundError,
  partOf,
  requireRevision,
} from '#core/index.ts';
import type { ExtractorProperties, ExtractorRecord, Metadata } from '#metadata/index.ts';
import type { Metrics } from '#telemetry/index.ts';
import { compileExtractor, EXTRACTOR_TYPES } from '../extractors/index.ts';
import type { ExtractorTools } from './extractor-tools.ts';
import {
  exportedView,
  extractorView,
  propertiesOf,
  propertiesOfExported,
  revisionOfExtractor,
} from './extractor-views.ts';
import { givenMessage } from './simulate.ts';
import { changeView } from './simulation-views.ts';

/**
 * The extractors of inputs, as people change them. A change has been stored and audited, and workers are being told,
 * when its promise resolves.
 */
export interface Extractors {
  /** In the order in which they run. */
  list(inputId: string, query: ExtractorsQuery): Promise<ExtractorList>;
  get(inputId: string, id: string): Promise<ExtractorView>;
  /** Resolves with its id. */
  create(caller: Caller, inputId: string, request: ExtractorRequest): Promise<string>;
  update(caller: Caller, inputId: string, id: string, request: ExtractorRequest): Promise<ExtractorView>;
  remove(caller: Caller, inputId: string, id: string): Promise<void>;
  /** Ids by their places. */
  order(caller: Caller, inputId: string, places: Readonly<Record<string, string>>): Promise<void>;
  export(inputId: string): Promise<ExportedExtractor[]>;
  /** Adds those that are valid. */
  import(caller: Caller, inputId: string, wanted: readonly ExportedExtractor[]): Promise<ExtractorImport>;
  /** What an extractor, which need not be stored, would do to a message of the input. */
  try(inputId: string, request: ExtractorTrialRequest): Promise<ExtractorTrialView>;
}

export interface ExtractorsDeps {
  readonly metadata: Metadata;
  readonly audit: AuditLog;
  /** What the workers have counted. */
  readonly metrics: Pick<Metrics, 'get'>;
  /** Tells the workers. */
  readonly changed: () => Promise<void>;
  /** All that there are, by name. */
  readonly grokPatterns: () => ReadonlyMap<string, string>;
  /** Ends what operators were told of an extractor that did not run. */
  readonly enabled: (id: string) => Promise<unknown>;
  readonly tools: Pick<ExtractorTools, 'try'>;
  readonly clock: Clock;
}

/** What the parts share. */
interface Context extends ExtractorsDeps {
  /** What is wrong with it; undefined: nothing. */
  problemOf(properties: ExtractorProperties): InvalidConfiguration | undefined;
  record(caller: Caller, verb: string, before?: ExtractorRecord, after?: ExtractorRecord): Promise<void>;
  view(record: ExtractorRecord): ExtractorView;
  /** The extractors of an input that exists. */
  existing(inputId: string): Promise<readonly ExtractorRecord[]>;
  requireExtractor(inputId: string, id: string): Promise<ExtractorRecord>;
}

export function createExtractors(deps: ExtractorsDeps): Extractors {
  const context = createContext(deps);
  return {
    async list(inputId, { query, ...part }) {
      const text = query.trim().toLowerCase();
      const found = (await context.existing(inputId)).filter(({ title, type, sourceField, targetField }) =>
        [title, type, EXTRACTOR_TYPES.find(type)?.name ?? '', sourceField, targetField].some((each) =>
          each.toLowerCase().includes(text),
        ),
      );
      return { total: found.length, extractors: partOf(found, part).map(context.view) };
    },
    get: async (inputId, id) => context.view(await context.requireExtractor(inputId, id)),
    export: async (inputId) => (await context.existing(inputId)).map(exportedView),
    ...createChanges(context),
    ...createImport(context),
    async try(inputId, { extractor, message }) {
      await context.existing(inputId);
      const result = await deps.tools.try({
        extractor: propertiesOf(extractor),
        message: { ...givenMessage(message, inputId, deps.clock), streamIds: [] },
      });
      if (result.kind === 'invalid') throw invalidExtractor(new InvalidConfiguration(result.problems));
      const { isLookedAt, changes, error } = result;
      return { looked_at: isLookedAt, changes: changes.map(changeView), error: error ?? null };
    },
  };
}

function invalidExtractor({ text, problems }: InvalidConfiguration): InvalidError {
  return new InvalidError(`Invalid extractor: ${text}.`, { problems });
}

function createContext(deps: ExtractorsDeps): Context {
  const { inputs, extractors } = deps.metadata.repositories;

  async function existing(inputId: string): Promise<readonly ExtractorRecord[]> {
    const input = inputId.includes('\0') ? undefined : await inputs.find(inputId);
    if (input === undefined) throw new NotFoundError(`Input ${inputId} not found!`);
    return extractors.list(inputId);
  }

  return {
    ...deps,
    existing,
    view: (record) => extractorView(record, deps.metrics),
    async requireExtractor(inputId, id) {
      const found = (await existing(inputId)).find((each) => each.id === id);
      if (found === undefined) throw new NotFoundError(`The input ${inputId} has no extractor ${id}.`);
      return found;
    },
    problemOf(properties) {
      const compiled = compileExtractor(properties, { grokPatterns: deps.grokPatterns() });
      return compiled instanceof InvalidConfiguration ? compiled : undefined;
    },
    record: ({ principal, remoteAddress }, verb, before, after) =>
      deps.audit.record({
        actor: principal.username,
        address: remoteAddress,
        action: `extractor.${verb}`,
        objectType: 'extractor',
        objectId: (after ?? before)?.id,
        before: before && exportedView(before),
        after: after && exportedView(after),
      }),
  };
}

function createChanges(context: Context) {
  const { metadata, changed } = context;
  const { extractors } = metadata.repositories;

  function requireValid(request: ExtractorRequest): ExtractorProperties {
    const properties = propertiesOf(request);
    const invalid = context.problemOf(properties);
    if (invalid === undefined) return properties;
    throw invalidExtractor(invalid);
  }

  return {
    async create(caller: Caller, inputId: string, request: ExtractorRequest): Promise<string> {
      requireRoom((await context.existing(inputId)).length + 1);
      const properties = requireValid(request);
      const [stored] = await insertAll(context, caller, inputId, [properties]);
      await changed();
      return stored?.id ?? '';
    },

    async update(caller: Caller, inputId: string, id: string, request: ExtractorRequest) {
      const before = await context.requireExtractor(inputId, id);
      const after = await extractors.update(id, requireValid(request), (stored) =>
        requireRevision({
          what: 'extractor',
          revision: revisionOfExtractor(stored),
          wanted: request.revision,
        }),
      );
      if (after === undefined) throw new NotFoundError(`The input ${inputId} has no extractor ${id}.`);
      await context.enabled(id);
      await changed();
      await context.record(caller, 'update', before, after);
      return context.view(after);
    },

    async remove(caller: Caller, inputId: string, id: string): Promise<void> {
      const before = await context.requireExtractor(inputId, id);
      if (!(await extractors.remove(id))) {
        throw new NotFoundError(`The input ${inputId} has no extractor ${id}.`);
      }
      await context.enabled(id);
      await changed();
      await context.record(caller, 'delete', before);
    },

    async order(caller: Caller, inputId: string, places: Readonly<Record<string, string>>): Promise<void> {
      const before = await context.existing(inputId);
      const positions = new Map(Object.entries(places).map(([place, id]) => [id, Number(place)]));
      const unknown = [...positions.keys()].find((id) => !before.some((each) => each.id === id));
      if (unknown !== undefined) throw new NotFoundError(`The input ${inputId} has no extractor ${unknown}.`);
      await extractors.setPositions(inputId, positions);
      await changed();
      const after = await extractors.list(inputId);
      for (const was of before) {
        const is = after.find(({ id }) => id === was.id);
        if (is !== undefined && is.position !== was.position) await context.record(caller, 'order', was, is);
      }
    },
  };
}

function createImport(context: Context) {
  return {
    async import(
      caller: Caller,
      inputId: string,
      wanted: readonly ExportedExtractor[],
    ): Promise<ExtractorImport> {
      const existing = await context.existing(inputId);
      const checked: { readonly properties: ExtractorProperties; readonly error: string | undefined }[] = [];
      for (const each of wanted) {
        // A grok pattern may take long to compile: others are served in between.
        await nextTurn();
        const properties = propertiesOfExported(each);
        checked.push({ properties, error: context.problemOf(properties)?.text });
      }
      const valid = checked.filter(({ error }) => error === undefined).map(({ properties }) => properties);
      requireRoom(existing.length + valid.length);
      const stored = valid.length === 0 ? [] : await insertAll(context, caller, inputId, valid);
      if (stored.length > 0) await context.changed();
      const ids = stored.map(({ id }) => id).values();
      return {
        imported: stored.length,
        extractors: checked.map(({ properties: { title }, error }) => ({
          title,
          extractor_id: error === undefined ? (ids.next().value ?? null) : null,
          error: error ?? null,
        })),
      };
    },
  };
}

async function insertAll(
  context: Context,
  caller: Caller,
  inputId: string,
  all: readonly ExtractorProperties[],
): Promise<readonly ExtractorRecord[]> {
  const creator = caller.principal.username;
  try {
    const stored = await context.metadata.repositories.extractors.insert(
      all.map((properties) => ({ ...properties, inputId, creator })),
    );
    for (const extractor of stored) await context.record(caller, 'create', undefined, extractor);
    return stored;
  } catch (error) {
    // Somebody has just deleted the input.
    if (error instanceof ConflictError) throw new NotFoundError(`Input ${inputId} not found!`);
    throw error;
  }
}

function requireRoom(count: number): void {
  if (count <= MAX_EXTRACTORS_PER_INPUT) return;
  throw new InvalidError(
    `An input has at most ${MAX_EXTRACTORS_PER_INPUT} extractors, and would have ${count}. Delete some, or use a pipeline.`,
  );
}
