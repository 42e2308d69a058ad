import type {
  GrokImportStrategy,
  GrokPatternPage,
  GrokPatternRequest,
  GrokPatternTestRequest,
  GrokPatternView,
  PagingQuery,
} from '@millrace/contract';
import {
  type AuditLog,
  type Caller,
  InvalidError,
  NotFoundError,
  onConflict,
  pageOf,
  recordAction,
  requireRevision,
  revisionOf,
} from '#core/index.ts';
import type { GrokPatternRecord, Metadata } from '#metadata/index.ts';
import { STOCK_GROK_PATTERNS } from '../rules/index.ts';
import type { PatternMap } from './grok-check.ts';
import { readPatternFile } from './grok-file.ts';
import { testPattern } from './grok-test.ts';
import type { GrokThreads } from './grok-threads.ts';
import { grokPatternsIn } from './sources.ts';

/** The whole set goes to every worker. */
const MAX_GROK_PATTERNS = 5000;

/**
 * Named grok patterns as people change them. A change has been stored and audited, and workers are being told, when its
 * promise resolves. What is not valid, very slow, or would break what uses it is refused with `InvalidError`.
 */
export interface GrokPatterns {
  /** Sorted by name. */
  list(): Promise<GrokPatternView[]>;
  page(query: PagingQuery): Promise<GrokPatternPage>;
  get(id: string): Promise<GrokPatternView>;
  create(caller: Caller, request: GrokPatternRequest): Promise<GrokPatternView>;
  update(caller: Caller, id: string, request: GrokPatternRequest): Promise<GrokPatternView>;
  remove(caller: Caller, id: string): Promise<void>;
  import(
    caller: Caller,
    patterns: readonly GrokPatternRequest[],
    strategy: GrokImportStrategy,
  ): Promise<void>;
  /** A file with lines `NAME pattern`; `#` starts a comment. */
  importFile(caller: Caller, text: string, strategy: GrokImportStrategy): Promise<void>;
  /** The fields that the pattern finds; empty when it is not found. */
  test(request: GrokPatternTestRequest): Promise<Record<string, unknown>>;
}

export interface GrokPatternsDeps {
  readonly metadata: Metadata;
  readonly audit: AuditLog;
  /** Tells the workers. */
  readonly changed: () => Promise<void>;
  readonly grokThreads: GrokThreads;
}

/** Once in the life of a database. */
export async function createStockGrokPatterns({ repositories }: Metadata): Promise<void> {
  const stock = [...STOCK_GROK_PATTERNS].map(([name, pattern]) => ({ name, pattern }));
  await repositories.grokPatterns.seed(stock);
}

export function createGrokPatterns(deps: GrokPatternsDeps): GrokPatterns {
  const { grokPatterns } = deps.metadata.repositories;
  const importAll = createImport(deps);
  return {
    ...createChanges(deps),
    list: async () => (await grokPatterns.list()).map(viewOf),
    async page(query) {
      const { elements, numbers } = pageOf(await grokPatterns.list(), query, {
        name: ({ name }) => name,
        pattern: ({ pattern }) => pattern,
      });
      return { ...numbers, query: query.query, patterns: elements.map(viewOf) };
    },
    get: async (id) => viewOf(await requirePattern(deps.metadata, id)),
    import: importAll,
    importFile: (caller, text, strategy) => importAll(caller, readPatternFile(text), strategy),
    test: async (request) => testPattern(deps.grokThreads, mapOf(await grokPatterns.list()), request),
  };
}

function createChanges(deps: GrokPatternsDeps): Pick<GrokPatterns, 'create' | 'update' | 'remove'> {
  const { metadata, audit, changed } = deps;
  const { grokPatterns } = metadata.repositories;
  return {
    async create(caller, { name, pattern }) {
      const before = mapOf(await grokPatterns.list());
      if (before.has(name)) throw nameTaken(name);
      await check(deps, before, new Map([...before, [name, pattern]]), [name]);
      const stored = await onConflict(grokPatterns.insert({ name, pattern }), () => nameTaken(name));
      await changed();
      await recordAction(audit, caller, 'grok_pattern.create', {
        objectId: stored.id,
        after: auditViewOf(stored),
      });
      return viewOf(stored);
    },

    async update(caller, id, { name, pattern, revision: wanted }) {
      const stored = await requirePattern(metadata, id);
      const unchanged = (now: GrokPatternRecord) =>
        requireRevision({ what: `grok pattern ${now.name}`, revision: patternRevision(now), wanted });
      // Before the check, which takes long; and once more with the change.
      unchanged(stored);
      const before = mapOf(await grokPatterns.list());
      if (name !== stored.name && before.has(name)) throw nameTaken(name);
      const others = [...before].filter(([each]) => each !== stored.name);
      await check(deps, before, new Map([...others, [name, pattern]]), [name]);
      const updating = grokPatterns.update(id, { name, pattern }, unchanged);
      const updated = await onConflict(updating, () => nameTaken(name));
      if (updated === undefined) throw unknownPattern(id);
      await changed();
      await recordAction(audit, caller, 'grok_pattern.update', {
        objectId: id,
        before: auditViewOf(stored),
        after: auditViewOf(updated),
      });
      return viewOf(updated);
    },

    async remove(caller, id) {
      const stored = await requirePattern(metadata, id);
      const before = mapOf(await grokPatterns.list());
      await check(deps, before, new Map([...before].filter(([name]) => name !== stored.name)), []);
      if (!(await grokPatterns.remove(id))) throw unknownPattern(id);
      await changed();
      await recordAction(audit, caller, 'grok_pattern.delete', { objectId: id, before: auditViewOf(stored) });
    },
  };
}

function createImport(deps: GrokPatternsDeps): GrokPatterns['import'] {
  const { metadata, audit, changed } = deps;
  const { grokPatterns } = metadata.repositories;
  return async (caller, patterns, strategy) => {
    const before = mapOf(await grokPatterns.list());
    const given = mapOf(patterns);
    const dropOthers = strategy === 'DROP_ALL_EXISTING';
    const taken = [...given.keys()].filter((name) => before.has(name));
    if (strategy === 'ABORT_ON_CONFLICT' && taken.length > 0)
      throw new InvalidError(
        `There are grok patterns with these names already: ${taken.slice(0, 10).join(', ')}. Nothing was imported; use the import strategy REPLACE_ON_CONFLICT to replace them.`,
      );
    const after = new Map([...(dropOthers ? [] : before), ...given]);
    const edited = [...given.keys()].filter((name) => before.get(name) !== given.get(name));
    await check(deps, before, after, edited);
    const all = [...given].map(([name, pattern]) => ({ name, pattern }));
    await grokPatterns.import(all, { dropOthers });
    await changed();
    await recordAction(audit, caller, 'grok_pattern.import', { after: { strategy, patterns: all } });
  };
}

/** Checks what the patterns will be. `edited` are the names that are new or have another pattern. */
async function check(
  { metadata, grokThreads }: GrokPatternsDeps,
  before: PatternMap,
  after: PatternMap,
  edited: readonly string[],
): Promise<void> {
  if (after.size > MAX_GROK_PATTERNS)
    throw new InvalidError(`There can be at most ${MAX_GROK_PATTERNS} grok patterns.`);
  const { pipelineRules, extractors } = metadata.repositories;
  const rules = await pipelineRules.list();
  const problem = await grokThreads.check({
    before,
    after,
    edited,
    users: {
      rules: rules.map(({ title, source }) => ({ title, patterns: grokPatternsIn(source) })),
      extractors: (await extractors.list()).filter(({ type }) => type === 'grok'),
    },
  });
  if (problem === undefined) return;
  const { message, path } = problem;
  throw new InvalidError(message, path === undefined ? {} : { path });
}

async function requirePattern({ repositories }: Metadata, id: string): Promise<GrokPatternRecord> {
  const found = id.includes('\0') ? undefined : await repositories.grokPatterns.find(id);
  if (found === undefined) throw unknownPattern(id);
  return found;
}

function unknownPattern(id: string): NotFoundError {
  return new NotFoundError(`There is no grok pattern ${id}.`);
}

function mapOf(patterns: readonly { readonly name: string; readonly pattern: string }[]): PatternMap {
  return new Map(patterns.map(({ name, pattern }) => [name, pattern]));
}

function patternRevision({ name, pattern }: GrokPatternRecord): string {
  return revisionOf([name, pattern]);
}

function viewOf(record: GrokPatternRecord): GrokPatternView {
  return { ...auditViewOf(record), revision: patternRevision(record) };
}

function auditViewOf({
  id,
  name,
  pattern,
  contentPack,
}: GrokPatternRecord): Omit<GrokPatternView, 'revision'> {
  return { id, name, pattern, content_pack: contentPack };
}

function nameTaken(name: string): InvalidError {
  return new InvalidError(`There is another grok pattern with the name ${name}.`, { path: 'name' });
}
