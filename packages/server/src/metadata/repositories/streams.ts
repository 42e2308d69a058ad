import type { Kysely, Selectable } from 'kysely';
import { type Clock, newEntityId } from '#core/index.ts';
import { readBoolean } from '../columns.ts';
import type { Database } from '../tables/index.ts';
import type { StreamMatchingType, StreamRulesTable, StreamState, StreamsTable } from '../tables/streams.ts';
import { lockedRow } from './row.ts';
import { changeStreamsRevision, readStreamsRevision } from './streams-revision.ts';
import { inTransaction } from './transaction.ts';

/** The properties of a stream that users define and can change. */
export interface StreamProperties {
  readonly title: string;
  readonly description: string;
  readonly matchingType: StreamMatchingType;
  readonly removeMatches: boolean;
  readonly indexSetId: string;
}

export interface NewStream extends StreamProperties {
  /** The name of the user who created it. */
  readonly creator: string;
  readonly state: StreamState;
  readonly contentPack: string | null;
}

export interface StreamRuleProperties {
  /** Graylog's number for the rule type. */
  readonly type: number;
  readonly field: string;
  readonly value: string;
  readonly inverted: boolean;
  readonly description: string;
}

export interface NewStreamRule extends StreamRuleProperties {
  readonly contentPack: string | null;
}

export interface StreamRuleRecord extends NewStreamRule {
  readonly id: string;
  readonly streamId: string;
}

export interface RuleReplacement {
  readonly matchingType: StreamMatchingType;
  readonly rules: readonly (StreamRuleProperties & { readonly id?: string | undefined })[];
}

export interface StreamRecord extends NewStream {
  readonly id: string;
  readonly createdAt: number;
  /** Why it is in its state, if no user requested it. */
  readonly stateReason: string | null;
  /** In order of creation. */
  readonly rules: readonly StreamRuleRecord[];
  /** In order of attachment. */
  readonly outputIds: readonly string[];
}

/** Streams with their rules. Every write changes the revision, which is how other nodes notice it. */
export interface StreamsRepository {
  insert(
    stream: NewStream,
    rules: readonly NewStreamRule[],
    outputIds?: readonly string[],
  ): Promise<StreamRecord>;
  /** Creates a stream with a given id unless it exists. */
  ensure(id: string, stream: NewStream): Promise<void>;
  /**
   * The stream after the change, or undefined if the id is unknown. `check` sees the stream as it is before the change,
   * in the same transaction; when it throws, nothing is changed.
   */
  update(
    id: string,
    changes: Partial<StreamProperties>,
    check?: (before: StreamRecord) => void,
  ): Promise<StreamRecord | undefined>;
  /** Whether the state changed. With `from`, only a stream in that state changes. */
  setState(id: string, state: StreamState, reason: string | null, from?: StreamState): Promise<boolean>;
  /** Also removes its rules and detaches its outputs. False if the id is unknown. */
  remove(id: string): Promise<boolean>;
  find(id: string): Promise<StreamRecord | undefined>;
  /** Oldest first. */
  list(): Promise<readonly StreamRecord[]>;
  /** The streams whose messages go to this index set, oldest first. */
  listByIndexSet(indexSetId: string): Promise<readonly Pick<StreamRecord, 'id' | 'title'>[]>;
  /** Rejects with `ConflictError` if the stream does not exist. */
  insertRule(streamId: string, rule: NewStreamRule): Promise<StreamRuleRecord>;
  /** The rule after the change, or undefined if the stream has no rule with this id. */
  updateRule(
    streamId: string,
    ruleId: string,
    properties: StreamRuleProperties,
  ): Promise<StreamRuleRecord | undefined>;
  /**
   * Makes these the rules of a stream, in this order. A rule with the id of one it has is changed, others are new.
   * The result and `check` are those of `update`.
   */
  replaceRules(
    streamId: string,
    replacement: RuleReplacement,
    check: (before: StreamRecord) => void,
  ): Promise<StreamRecord | undefined>;
  /** False if the stream has no such rule. */
  removeRule(streamId: string, ruleId: string): Promise<boolean>;
  /** Outputs it has already stay. Rejects with `ConflictError` if the stream or an output does not exist. */
  attachOutputs(streamId: string, outputIds: readonly string[]): Promise<void>;
  /** False if the stream does not have the output. */
  detachOutput(streamId: string, outputId: string): Promise<boolean>;
  /** Differs after every change of any stream, rule or attachment on any node. */
  revision(): Promise<string>;
}

export function createStreamsRepository(db: Kysely<Database>, clock: Clock): StreamsRepository {
  const write: Write = (work) =>
    inTransaction(db, async (transaction) => {
      const result = await work(transaction);
      await changeStreamsRevision(transaction, clock);
      return result;
    });
  return {
    ...createStreamWrites(write, clock),
    ...createStateWrites(write),
    ...createRuleWrites(write, clock),
    replaceRules: createRuleReplacement(write, clock),
    ...createOutputWrites(write, clock),
    ...createStreamReads(db),
  };
}

type Write = <T>(work: (transaction: Kysely<Database>) => Promise<T>) => Promise<T>;

function createStreamWrites(write: Write, clock: Clock) {
  return {
    insert: (
      stream: NewStream,
      rules: readonly NewStreamRule[],
      outputIds: readonly string[] = [],
    ): Promise<StreamRecord> =>
      write(async (transaction) => {
        const row = newRow(newEntityId(clock.now()), stream, clock.now());
        await transaction.insertInto('streams').values(row).execute();
        const ruleRows = rules.map((rule, index) => ({
          ...ruleColumns(rule),
          id: newEntityId(clock.now()),
          stream_id: row.id,
          position: index + 1,
          content_pack: rule.contentPack,
        }));
        if (ruleRows.length > 0) await transaction.insertInto('stream_rules').values(ruleRows).execute();
        await attach(transaction, row.id, outputIds, clock.now());
        return fromRow(row, { rules: ruleRows.map(ruleFromRow), outputIds });
      }),

    ensure: (id: string, stream: NewStream): Promise<void> =>
      write(async (transaction) => {
        await transaction
          .insertInto('streams')
          .values(newRow(id, stream, clock.now()))
          .onConflict((conflict) => conflict.column('id').doNothing())
          .execute();
      }),

    update: (
      id: string,
      changes: Partial<StreamProperties>,
      check?: (before: StreamRecord) => void,
    ): Promise<StreamRecord | undefined> =>
      write(async (transaction) => {
        if (check !== undefined) {
          const before = await lockedStream(transaction, id);
          if (before === undefined) return undefined;
          check(before);
        }
        const row = await transaction
          .updateTable('streams')
          .set({
            id, // an update must set something, even without changes
            ...(changes.title !== undefined && { title: changes.title }),
            ...(changes.description !== undefined && { description: changes.description }),
            ...(changes.matchingType !== undefined && { matching_type: changes.matchingType }),
            ...(changes.removeMatches !== undefined && { remove_matches: changes.removeMatches }),
            ...(changes.indexSetId !== undefined && { index_set_id: changes.indexSetId }),
          })
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirst();
        return row && fromRow(row, await partsOf(transaction, id));
      }),

    remove: (id: string): Promise<boolean> =>
      write(async (transaction) => {
        const result = await transaction.deleteFrom('streams').where('id', '=', id).executeTakeFirst();
        return result.numDeletedRows > 0n;
      }),
  };
}

/** The stream as it is; nobody else changes it until the transaction ends. */
async function lockedStream(transaction: Kysely<Database>, id: string): Promise<StreamRecord | undefined> {
  const row = await lockedRow(transaction, 'streams', id);
  return row && fromRow(row, await partsOf(transaction, id));
}

function createRuleReplacement(write: Write, clock: Clock): StreamsRepository['replaceRules'] {
  return (streamId, { matchingType, rules }, check) =>
    write(async (transaction) => {
      const before = await lockedStream(transaction, streamId);
      if (before === undefined) return undefined;
      check(before);
      const known = new Map(before.rules.map((rule) => [rule.id, rule]));
      await transaction
        .updateTable('streams')
        .set({ matching_type: matchingType })
        .where('id', '=', streamId)
        .execute();
      await transaction.deleteFrom('stream_rules').where('stream_id', '=', streamId).execute();
      const rows = rules.map((rule, index) => {
        const old = rule.id === undefined ? undefined : known.get(rule.id);
        return {
          ...ruleColumns(rule),
          id: old?.id ?? newEntityId(clock.now()),
          stream_id: streamId,
          position: index + 1,
          content_pack: old?.contentPack ?? null,
        };
      });
      if (rows.length > 0) await transaction.insertInto('stream_rules').values(rows).execute();
      return { ...before, matchingType, rules: rows.map(ruleFromRow) };
    });
}

function createStateWrites(write: Write) {
  return {
    setState: (id: string, state: StreamState, reason: string | null, from?: StreamState): Promise<boolean> =>
      write(async (transaction) => {
        let query = transaction
          .updateTable('streams')
          .set({ state, state_reason: reason })
          .where('id', '=', id)
          .where('state', '!=', state);
        if (from !== undefined) query = query.where('state', '=', from);
        const { numUpdatedRows } = await query.executeTakeFirst();
        return numUpdatedRows > 0n;
      }),
  };
}

function createRuleWrites(write: Write, clock: Clock) {
  return {
    insertRule: (streamId: string, rule: NewStreamRule): Promise<StreamRuleRecord> =>
      write(async (transaction) => {
        const last = await transaction
          .selectFrom('stream_rules')
          .select((expression) => expression.fn.max<number | null>('position').as('position'))
          .where('stream_id', '=', streamId)
          .executeTakeFirst();
        const row = {
          ...ruleColumns(rule),
          id: newEntityId(clock.now()),
          stream_id: streamId,
          position: (last?.position ?? 0) + 1,
          content_pack: rule.contentPack,
        };
        await transaction.insertInto('stream_rules').values(row).execute();
        return ruleFromRow(row);
      }),

    updateRule: (
      streamId: string,
      ruleId: string,
      properties: StreamRuleProperties,
    ): Promise<StreamRuleRecord | undefined> =>
      write(async (transaction) => {
        const row = await transaction
          .updateTable('stream_rules')
          .set(ruleColumns(properties))
          .where('id', '=', ruleId)
          .where('stream_id', '=', streamId)
          .returningAll()
          .executeTakeFirst();
        return row && ruleFromRow(row);
      }),

    removeRule: (streamId: string, ruleId: string): Promise<boolean> =>
      write(async (transaction) => {
        const result = await transaction
          .deleteFrom('stream_rules')
          .where('id', '=', ruleId)
          .where('stream_id', '=', streamId)
          .executeTakeFirst();
        return result.numDeletedRows > 0n;
      }),
  };
}

function createOutputWrites(write: Write, clock: Clock) {
  return {
    attachOutputs: (streamId: string, outputIds: readonly string[]): Promise<void> =>
      write((transaction) => attach(transaction, streamId, outputIds, clock.now())),

    detachOutput: (streamId: string, outputId: string): Promise<boolean> =>
      write(async (transaction) => {
        const result = await transaction
          .deleteFrom('stream_outputs')
          .where('stream_id', '=', streamId)
          .where('output_id', '=', outputId)
          .executeTakeFirst();
        return result.numDeletedRows > 0n;
      }),
  };
}

async function attach(
  db: Kysely<Database>,
  streamId: string,
  outputIds: readonly string[],
  now: number,
): Promise<void> {
  // One by one: a list may name an output twice.
  for (const outputId of outputIds) {
    await db
      .insertInto('stream_outputs')
      .values({ stream_id: streamId, output_id: outputId, created_at: now })
      .onConflict((conflict) => conflict.columns(['stream_id', 'output_id']).doNothing())
      .execute();
  }
}

function createStreamReads(db: Kysely<Database>) {
  return {
    async find(id: string): Promise<StreamRecord | undefined> {
      const row = await db.selectFrom('streams').selectAll().where('id', '=', id).executeTakeFirst();
      return row && fromRow(row, await partsOf(db, id));
    },

    async list(): Promise<readonly StreamRecord[]> {
      const rows = await db.selectFrom('streams').selectAll().orderBy('created_at').orderBy('id').execute();
      const rules = await rulesOf(db);
      const outputs = await outputsOf(db);
      return rows.map((row) =>
        fromRow(row, { rules: rules.get(row.id) ?? [], outputIds: outputs.get(row.id) ?? [] }),
      );
    },

    async listByIndexSet(indexSetId: string): Promise<readonly Pick<StreamRecord, 'id' | 'title'>[]> {
      return await db
        .selectFrom('streams')
        .select(['id', 'title'])
        .where('index_set_id', '=', indexSetId)
        .orderBy('id')
        .execute();
    },

    revision: (): Promise<string> => readStreamsRevision(db),
  };
}

/** The rules of one stream or of all, by stream and in order of creation. */
async function rulesOf(db: Kysely<Database>, streamId?: string): Promise<Map<string, StreamRuleRecord[]>> {
  let query = db.selectFrom('stream_rules').selectAll();
  if (streamId !== undefined) query = query.where('stream_id', '=', streamId);
  const rows = await query.orderBy('stream_id').orderBy('position').orderBy('id').execute();
  return Map.groupBy(rows.map(ruleFromRow), (rule) => rule.streamId);
}

/** The outputs of one stream or of all, by stream. */
async function outputsOf(db: Kysely<Database>, streamId?: string): Promise<Map<string, string[]>> {
  let query = db.selectFrom('stream_outputs').select(['stream_id', 'output_id']);
  if (streamId !== undefined) query = query.where('stream_id', '=', streamId);
  const rows = await query.orderBy('stream_id').orderBy('created_at').orderBy('output_id').execute();
  const byStream = new Map<string, string[]>();
  for (const { stream_id, output_id } of rows)
    byStream.getOrInsertComputed(stream_id, () => []).push(output_id);
  return byStream;
}

async function partsOf(db: Kysely<Database>, streamId: string): Promise<StreamParts> {
  const rules = (await rulesOf(db, streamId)).get(streamId) ?? [];
  return { rules, outputIds: (await outputsOf(db, streamId)).get(streamId) ?? [] };
}

function newRow(id: string, stream: NewStream, createdAt: number) {
  return {
    id,
    title: stream.title,
    description: stream.description,
    creator: stream.creator,
    matching_type: stream.matchingType,
    remove_matches: stream.removeMatches,
    index_set_id: stream.indexSetId,
    state: stream.state,
    state_reason: null,
    content_pack: stream.contentPack,
    created_at: createdAt,
  };
}

function ruleColumns({ type, field, value, inverted, description }: StreamRuleProperties) {
  return { type, field, value, inverted, description };
}

type StreamParts = Pick<StreamRecord, 'rules' | 'outputIds'>;

function fromRow(row: Selectable<StreamsTable>, parts: StreamParts): StreamRecord {
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    creator: row.creator,
    matchingType: row.matching_type,
    removeMatches: readBoolean(row.remove_matches),
    indexSetId: row.index_set_id,
    state: row.state,
    stateReason: row.state_reason,
    contentPack: row.content_pack,
    createdAt: row.created_at,
    ...parts,
  };
}

function ruleFromRow(row: Selectable<StreamRulesTable>): StreamRuleRecord {
  return {
    id: row.id,
    streamId: row.stream_id,
    type: row.type,
    field: row.field,
    value: row.value,
    inverted: readBoolean(row.inverted),
    description: row.description,
    contentPack: row.content_pack,
  };
}
