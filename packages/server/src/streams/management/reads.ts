import type {
  Stream,
  StreamPage,
  StreamPageQuery,
  StreamRuleView,
  TestMatchResponse,
} from '@millrace/contract';
import { NotFoundError, type Principal } from '#core/index.ts';
import type { StreamRecord, StreamRuleRecord } from '#metadata/index.ts';
import { requireStream, type StreamContext, viewFor } from './access.ts';
import { ruleOf } from './snapshot-publisher.ts';
import type { TestMatcher } from './test-match.ts';
import { ruleView } from './view.ts';

/** The caller. Streams they may not read are left out. */
type Reader = Pick<Principal, 'can'>;

export interface StreamReads {
  /** All streams that the reader may read, oldest first. */
  list(reader: Reader): Promise<Stream[]>;
  /** Those of them that route messages. */
  listEnabled(reader: Reader): Promise<Stream[]>;
  page(reader: Reader, query: StreamPageQuery): Promise<StreamPage>;
  get(reader: Reader, id: string): Promise<Stream>;
  rules(streamId: string): Promise<StreamRuleView[]>;
  rule(streamId: string, ruleId: string): Promise<StreamRuleView>;
  /** Whether the rules of a stream match a message, even if the stream does not run. */
  testMatch(streamId: string, message: Readonly<Record<string, unknown>>): Promise<TestMatchResponse>;
}

export function createStreamReads(context: StreamContext, matcher: TestMatcher): StreamReads {
  const { streams } = context.metadata.repositories;

  async function readable(reader: Reader): Promise<StreamRecord[]> {
    return (await streams.list()).filter(({ id }) => reader.can('streams:read', id));
  }

  return {
    list: async (reader) => (await readable(reader)).map(await viewFor(context, reader)),
    listEnabled: async (reader) =>
      (await readable(reader)).filter(({ state }) => state === 'running').map(await viewFor(context, reader)),
    async page(reader, query) {
      const isWanted = wantedBy(query);
      const sets = await context.metadata.repositories.indexSets.list();
      const setTitles = new Map(sets.map(({ id, title }) => [id, title]));
      const found = (await readable(reader)).filter(
        (stream) =>
          isWanted(stream, reader) && contains(stream, setTitles.get(stream.indexSetId) ?? '', query.query),
      );
      const sorted = sortedBy(found.map(await viewFor(context, reader)), query, setTitles);
      const start = (query.page - 1) * query.per_page;
      const elements = sorted.slice(start, start + query.per_page);
      const numbers = {
        total: found.length,
        count: elements.length,
        page: query.page,
        per_page: query.per_page,
      };
      const { sort, order } = query;
      return { query: query.query, sort, order, ...numbers, pagination: numbers, elements };
    },
    get: async (reader, id) => (await viewFor(context, reader))(await requireStream(context, id)),
    rules: async (streamId) => (await requireStream(context, streamId)).rules.map(ruleView),
    rule: async (streamId, ruleId) => ruleView(requireRule(await requireStream(context, streamId), ruleId)),
    async testMatch(streamId, message) {
      const { matchingType, rules } = await requireStream(context, streamId);
      return matcher.match({ matchingType, rules: rules.map(ruleOf) }, message);
    },
  };
}

export function requireRule(stream: StreamRecord, ruleId: string): StreamRuleRecord {
  const rule = stream.rules.find(({ id }) => id === ruleId);
  if (rule === undefined) throw new NotFoundError(`Stream ${stream.id} has no rule ${ruleId}!`);
  return rule;
}

function wantedBy({ ids, index_set_id: setId, permission }: StreamPageQuery) {
  const wanted = ids === undefined ? undefined : new Set(ids);
  return ({ id, indexSetId }: StreamRecord, reader: Reader) =>
    (wanted === undefined || wanted.has(id)) &&
    (setId === undefined || setId === indexSetId) &&
    (permission === undefined || reader.can(permission, id));
}

/** In its title, its description, its rules or the title of its index set. */
function contains(stream: StreamRecord, indexSetTitle: string, text: string): boolean {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return true;
  const isThere = (part: string) => part.toLowerCase().includes(wanted);
  const { id, title, description, rules } = stream;
  if ([id, title, description, indexSetTitle].some(isThere)) return true;
  return rules.some(({ field, value }) => isThere(field) || isThere(value));
}

function sortedBy(
  streams: Stream[],
  { sort, order }: StreamPageQuery,
  setTitles: ReadonlyMap<string, string>,
): Stream[] {
  const key = (stream: Stream) =>
    String(
      (sort === 'index_set_title' ? setTitles.get(stream.index_set_id) : stream[sort]) ?? '',
    ).toLowerCase();
  const direction = order === 'desc' ? -1 : 1;
  return streams.sort((left, right) => {
    const [a, b] = [key(left), key(right)];
    if (a !== b) return a < b ? -direction : direction;
    return left.id < right.id ? -1 : 1;
  });
}
