import { ClickHouseError } from '@clickhouse/client';
import { PermanentError, parseMessageId, RetryableError } from '#core/index.ts';
import {
  type ClickHouse,
  type ClickHouseServer,
  type NativeInsert,
  readNativeBlock,
  type StatementOptions,
} from '#storage/index.ts';
import { testMessageId } from './messages.ts';

export interface SimulatedRow {
  readonly table: string;
  readonly indexNumber: number;
  readonly id: string;
  readonly text: string;
}

/**
 * What the next insert meets:
 * `unreachable`: nothing is stored. `lost-answer`: everything is stored, and nobody is told.
 * `phantom`: killed between the record of the token and the rename of the part, so the token is known and no row is there.
 * `forgotten`: everything is stored, but not the token, as on a disk that is full.
 * `partial`: the first half is stored, then the connection is lost.
 * `memory`: the engine has too little memory. `disk`: its disk fails. `full`: its disk is full. `refused`: an error for good without a code.
 */
export type InsertFault =
  | 'unreachable'
  | 'lost-answer'
  | 'phantom'
  | 'forgotten'
  | 'partial'
  | 'memory'
  | 'disk'
  | 'full'
  | 'refused';

/** Where the writer tries whether rows are stored at all. */
const PROBE_TABLE = 'insert_probe';
const INCORRECT_DATA = 117;
const MEMORY_LIMIT_EXCEEDED = 241;
const LOGICAL_ERROR = 49;
const NOT_ENOUGH_SPACE = 243;

function clickHouseError(code: number, message: string): Error {
  return new ClickHouseError({ message, code: String(code) });
}

/**
 * The tables of messages as far as storage knows them: blocks are stored whole or not at all, and an insert
 * with a token that the same partition has seen is confirmed without storing anything, as MergeTree does, whether
 * or not the rows of that token ever became visible. Empty blocks are always accepted, as MergeTree accepts them.
 * Statements are told apart by what they begin with; one that nobody has thought of is refused.
 */
export class SimulatedClickHouse implements ClickHouse {
  readonly tables = new Set<string>();
  rows: SimulatedRow[] = [];
  /** Decides about an insert; undefined lets it through. */
  fault: (insert: NativeInsert) => InsertFault | undefined = () => undefined;
  /** Rows with this in their text are refused, and their whole block with them. */
  poison = 'poison';
  inserts = 0;
  /** Of all inserts with rows. */
  readonly tokens: (string | undefined)[] = [];
  /** More rows at once exceed the memory. */
  maxRows = Number.POSITIVE_INFINITY;
  /** What an empty block meets. */
  emptyBlockFault: InsertFault | undefined;
  /** Inserts wait for `release`. */
  isHeld = false;
  answersPings = true;
  /** A replica that cannot fetch what another one has stored. */
  isBehind = false;
  answersQueries = true;
  #waiting: (() => void)[] = [];
  readonly #seen: Set<string>;
  /** Of tables, which have their version there. */
  readonly #comments = new Map<string, string>();
  readonly servers: readonly ClickHouseServer[];

  /** @param keeper the tokens that replicas share */
  constructor(tables: readonly string[], url = 'simulated', keeper = new Set<string>()) {
    this.#seen = keeper;
    for (const table of tables) this.tables.add(table);
    this.servers = [
      {
        url,
        query: (sql, options) => this.query(sql, options),
        stream: (sql, options) => this.stream(sql, options),
        text: () => this.text(),
        command: (sql, options) => this.commandOnEach(sql, options),
        insertNative: (insert) => this.#insert(insert),
        ping: () => this.#ping(),
      },
    ];
  }

  async present(): Promise<readonly ClickHouseServer[]> {
    return this.servers;
  }

  leaveOut(): void {}

  release(): void {
    this.isHeld = false;
    for (const proceed of this.#waiting.splice(0)) proceed();
  }

  async #ping(): Promise<void> {
    if (!this.answersPings) throw new RetryableError('simulated: no answer');
  }

  async #insert(insert: NativeInsert): Promise<void> {
    this.inserts += 1;
    if (this.isHeld) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else await new Promise((resolve) => setImmediate(resolve));
    insert.signal?.throwIfAborted();
    if (!this.tables.has(insert.table)) throw new PermanentError(`simulated: no table ${insert.table}`);
    const rows = rowsOf(insert.table, Buffer.from(insert.block));
    if (rows.length > 0) this.tokens.push(insert.deduplicationToken);
    const fault = rows.length === 0 ? this.emptyBlockFault : this.fault(insert);
    if (fault === 'unreachable') throw new RetryableError('simulated: not reachable');
    if (fault === 'refused') throw new PermanentError('simulated: refused');
    if (fault === 'disk') {
      const cause = clickHouseError(LOGICAL_ERROR, 'simulated: disk');
      throw new PermanentError('simulated: the disk fails', { cause });
    }
    if (fault === 'full') {
      const cause = clickHouseError(NOT_ENOUGH_SPACE, 'simulated: full');
      throw new RetryableError('simulated: no space left', { cause });
    }
    if (fault === 'memory' || rows.length > this.maxRows) {
      const cause = clickHouseError(MEMORY_LIMIT_EXCEEDED, 'simulated: memory');
      throw new RetryableError('simulated: too little memory', { cause });
    }
    if (rows.some((row) => row.text.includes(this.poison))) {
      const cause = clickHouseError(INCORRECT_DATA, 'simulated: a row cannot be stored');
      throw new PermanentError('simulated: a row cannot be stored', { cause });
    }
    this.#store(insert, rows, fault);
    if (fault !== undefined) throw new RetryableError('simulated: connection lost');
  }

  /** In two parts, each with a token of its own, as MergeTree splits a large block. */
  #store(
    { deduplicationToken }: NativeInsert,
    rows: readonly SimulatedRow[],
    fault: InsertFault | undefined,
  ): void {
    const middle = Math.ceil(rows.length / 2);
    const parts = [rows.slice(0, middle), rows.slice(middle)].filter((part) => part.length > 0);
    for (const [place, part] of parts.entries()) {
      if (fault === 'partial' && place > 0) return;
      const key = `${part[0]?.table}/${part[0]?.indexNumber}/${deduplicationToken}/${place}`;
      if (deduplicationToken !== undefined && this.#seen.has(key)) continue;
      if (fault !== 'forgotten') this.#seen.add(key);
      if (fault !== 'phantom') this.rows.push(...part);
    }
  }

  async *stream<Row>(sql: string, options: StatementOptions = {}): AsyncIterable<Row[]> {
    const rows = await this.query<Row>(sql, options);
    if (rows.length > 0) yield rows;
  }

  /** Nothing here is exported. */
  // biome-ignore lint/correctness/useYield: there is nothing to give
  async *text(): AsyncIterable<Buffer> {
    throw new PermanentError('simulated: no texts');
  }

  async query<Row>(sql: string, options: StatementOptions = {}): Promise<Row[]> {
    await new Promise((resolve) => setImmediate(resolve));
    if (!this.answersQueries) throw new RetryableError('simulated: not reachable');
    if (sql.includes('system.processes')) return [{ running: '0' }] as Row[];
    if (sql.includes('engine_full')) return [];
    if (sql.includes('system.tables')) {
      return [
        { comment: this.#comments.get(String(options.parameters?.table)), engine: 'MergeTree' },
      ] as Row[];
    }
    if (sql.includes('system.parts')) return this.#figures() as Row[];
    if (sql.includes('mergeTreeIndex')) return [];
    if (sql.startsWith('SELECT count() AS messages')) return [this.#since(sql, options)] as Row[];
    if (sql === 'SELECT 1') return [];
    if (sql.includes('version()')) return [{ version: '26.7.1.1' }] as Row[];
    return this.#storedIds(sql, options) as Row[];
  }

  #figures(): object[] {
    const groups = Map.groupBy(this.rows, ({ table, indexNumber }) => `${table} ${indexNumber}`);
    return [...groups.values()].map((rows) => ({
      table: rows[0]?.table,
      partition: String(rows[0]?.indexNumber),
      messages: String(rows.length),
      bytes: String(rows.length * 100),
      parts: '1',
    }));
  }

  /** They have no time: all of them are from the beginning of what is asked for. */
  #since(sql: string, options: StatementOptions): object {
    const table = /FROM `test`.`([^`]+)`/.exec(sql)?.[1];
    const rows = this.rows.filter((row) => row.table === table);
    return { messages: String(rows.length), oldest: String(options.parameters?.time) };
  }

  #storedIds(sql: string, options: StatementOptions): object[] {
    const table = /FROM `test`.`([^`]+)`/.exec(sql)?.[1];
    const { firstOffset, lastOffset } = options.parameters ?? {};
    return this.rows
      .filter((row) => row.table === table)
      .flatMap((row) => parseMessageId(row.id) ?? [])
      .filter(({ offset }) => offset >= Number(firstOffset) && offset <= Number(lastOffset))
      .map(({ receivedAt, partition, offset }) => ({
        received: String(receivedAt),
        partition: String(partition),
        offset: String(offset),
      }));
  }

  async commandOnEach(sql: string, options: StatementOptions = {}): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    const [, verb, table = ''] =
      /^(CREATE|ALTER|DROP) TABLE (?:IF (?:NOT )?EXISTS )?`\w+`\.`([^`]+)`/.exec(sql) ?? [];
    if (verb === 'CREATE') {
      this.tables.add(table);
      this.#comments.set(table, /COMMENT '([^']*)'/.exec(sql)?.[1] ?? '');
    } else if (verb === 'DROP') {
      this.tables.delete(table);
      this.rows = this.rows.filter((row) => row.table !== table);
    } else if (verb === 'ALTER' && sql.includes('DROP PARTITION')) {
      const { number } = options.parameters ?? {};
      this.rows = this.rows.filter((row) => row.table !== table || row.indexNumber !== number);
    } else if (sql.startsWith('SYSTEM SYNC REPLICA')) {
      if (this.isBehind)
        throw new RetryableError('simulated: behind', { cause: clickHouseError(159, 'time') });
    } else if (sql.startsWith('TRUNCATE TABLE')) {
      this.rows = this.rows.filter((row) => row.table !== PROBE_TABLE);
    } else if (!sql.startsWith('CREATE DATABASE')) throw new PermanentError(`not simulated: ${sql}`);
  }

  async close(): Promise<void> {}
}

/** Several servers, each with its own tables, as the writer of messages knows them. */
export function simulatedShards(shards: readonly SimulatedClickHouse[]): ClickHouse {
  const [first] = shards;
  if (first === undefined) throw new Error('there are no shards');
  const servers = shards.flatMap((shard) => shard.servers);
  return {
    servers,
    query: (sql, options) => first.query(sql, options),
    stream: (sql, options) => first.stream(sql, options),
    text: () => first.text(),
    async commandOnEach(sql, options) {
      for (const shard of shards) await shard.commandOnEach(sql, options);
    },
    present: async () => servers,
    leaveOut() {},
    async close() {},
  };
}

function rowsOf(table: string, block: Buffer): SimulatedRow[] {
  const read = readNativeBlock(block);
  return Array.from({ length: read.rows }, (_, row) => ({
    table,
    indexNumber: Number(read.column('index_number')[row]),
    text: String(read.column('text')[row]),
    id: testMessageId(
      Number(read.column('id_offset')[row]),
      Number(read.column('received_at')[row]),
      Number(read.column('id_partition')[row]),
    ),
  }));
}
