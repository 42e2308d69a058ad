/**
 * Random lives of a partition on a disk that loses power, runs full and fails, against the simplest model:
 * a list of what was acknowledged, what was refused, and a storage that knows its tokens. Whatever happens,
 * what was acknowledged is stored once and in order, and what was refused is not stored.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { framesOf, openTestJournal, type TestJournal, textsOf } from '#testing/journal-fixture.ts';
import { type DiskOperation, SimulatedDisk, systemError } from '#testing/simulated-disk.ts';

type Action =
  | { readonly do: 'append'; readonly count: number; readonly bytes: number; readonly answer: boolean }
  | { readonly do: 'turns'; readonly count: number }
  | { readonly do: 'read'; readonly records: number }
  | { readonly do: 'send' }
  | { readonly do: 'commit'; readonly which: number }
  | { readonly do: 'cut' }
  | { readonly do: 'cutAfter'; readonly operations: number }
  | { readonly do: 'capacity'; readonly room: number | undefined }
  | { readonly do: 'fail'; readonly operation: DiskOperation; readonly times: number };

const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('append' as const),
      count: fc.integer({ min: 1, max: 12 }),
      bytes: fc.oneof(fc.integer({ min: 0, max: 200 }), fc.integer({ min: 900, max: 3000 })),
      answer: fc.boolean(),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('turns' as const), count: fc.integer({ min: 1, max: 12 }) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('read' as const), records: fc.integer({ min: 1, max: 40 }) }),
  },
  { weight: 4, arbitrary: fc.constant({ do: 'send' as const }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('commit' as const), which: fc.integer({ min: 0, max: 3 }) }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'cut' as const }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('cutAfter' as const),
      operations: fc.integer({ min: 1, max: 25 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('capacity' as const),
      room: fc.option(fc.integer({ min: 0, max: 800 }), { nil: undefined }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('fail' as const),
      operation: fc.constantFrom<DiskOperation>('write', 'sync', 'read', 'remove', 'syncDirectory'),
      times: fc.integer({ min: 1, max: 3 }),
    }),
  },
);

const CUT = Symbol('power cut');

/** Inserts with a token it has seen before do nothing, as ClickHouse does. */
class Storage {
  readonly rows: string[] = [];
  readonly #tokens = new Map<string, readonly string[]>();

  insert(token: string, rows: readonly string[]): void {
    const before = this.#tokens.get(token);
    if (before === undefined) {
      this.#tokens.set(token, rows);
      this.rows.push(...rows);
    } else {
      // A replay that is not exactly the same would lose or double rows.
      expect(rows).toEqual(before);
    }
  }
}

class Life {
  readonly disk = new SimulatedDisk();
  readonly storage = new Storage();
  readonly order: string[] = [];
  readonly durable = new Set<string>();
  readonly refused = new Set<string>();
  #journal: TestJournal | undefined;
  #cut: Promise<typeof CUT> = Promise.resolve(CUT);
  #accepted: { readonly end: number; readonly texts: readonly string[] }[] = [];
  #read: string[] = [];
  #readEnd = 0;
  #sent: string[] = [];
  #tokens = 0;

  constructor(random: () => number) {
    this.disk.random = random;
  }

  /** Opens the partition, as often as the power goes meanwhile, and sends again what was in flight. */
  async start(): Promise<TestJournal> {
    for (;;) {
      this.#watchPower();
      this.#accepted = [];
      this.#read = [];
      this.#readEnd = 0;
      this.#sent = [];
      const opened = await Promise.race([openTestJournal({ disk: this.disk }), this.#cut]);
      if (opened === CUT) continue;
      this.#journal = opened;
      expect(opened.incidents.filter(({ kind }) => kind !== 'tail_cut')).toEqual([]);
      for (;;) {
        const replay = await Promise.race([opened.reader.nextReplay(), this.#cut]);
        if (replay === CUT) break;
        if (replay === undefined) return opened;
        this.storage.insert(replay.token, replay.records.flatMap(textsOf));
        opened.reader.commitBatch(replay.token);
      }
    }
  }

  async perform(step: Action): Promise<void> {
    const journal = this.#journal as TestJournal;
    const generation = this.#cut;
    switch (step.do) {
      case 'append':
        this.#append(journal, step);
        break;
      case 'turns':
        for (let i = 0; i < step.count; i += 1) await new Promise((resolve) => setImmediate(resolve));
        break;
      case 'read':
        this.#readSome(journal, step.records);
        break;
      case 'send':
        await this.#send(journal);
        break;
      case 'commit':
        this.#commit(journal, step.which);
        break;
      case 'cut':
        this.disk.cutPower();
        break;
      case 'cutAfter':
        this.disk.cutAfterOperations = step.operations;
        break;
      case 'capacity':
        this.disk.capacity =
          step.room === undefined ? Number.POSITIVE_INFINITY : this.disk.usedBytes() + step.room;
        break;
      case 'fail':
        this.#failNext(step.operation, step.times);
        break;
    }
    if (generation !== this.#cut || this.#powerIsGone) await this.#restart();
    else this.#noteDurable(journal);
  }

  /** Lets the disk work again and brings everything into storage. */
  async finish(): Promise<TestJournal> {
    this.#repairDisk();
    this.disk.cutPower();
    const journal = await this.start();
    const { reader, writer } = journal;
    await this.#send(journal);
    while (reader.committedOffset < writer.nextOffset) {
      this.#readSome(journal, Number.POSITIVE_INFINITY);
      if (this.#read.length === 0) {
        // Reading past void records alone may have been the end of it.
        if (reader.committedOffset < writer.nextOffset) await reader.whenReadable();
        continue;
      }
      await this.#send(journal);
      while (this.#sent.length > 0) this.#commit(journal, 0);
    }
    await journal.close();
    return journal;
  }

  #powerIsGone = false;

  #watchPower(): void {
    this.#powerIsGone = false;
    this.#cut = new Promise((resolve) => {
      this.disk.onPowerCut = () => {
        this.#powerIsGone = true;
        resolve(CUT);
      };
    });
  }

  async #restart(): Promise<void> {
    this.#repairDisk();
    await this.start();
  }

  #repairDisk(): void {
    this.disk.capacity = Number.POSITIVE_INFINITY;
    this.disk.fault = () => undefined;
  }

  #failNext(operation: DiskOperation, times: number): void {
    let left = times;
    this.disk.fault = (current, file) => {
      if (current !== operation || left === 0) return;
      left -= 1;
      throw systemError('EIO', file);
    };
  }

  #append(journal: TestJournal, step: { count: number; bytes: number; answer: boolean }): void {
    const texts = Array.from({ length: step.count }, (_, i) =>
      `${this.order.length + i}:`.padEnd(step.bytes, 'x'),
    );
    const settled = (durable: boolean): void => {
      for (const text of texts) (durable ? this.durable : this.refused).add(text);
    };
    if (!journal.writer.append(framesOf(texts), step.answer ? settled : undefined)) return;
    this.order.push(...texts);
    if (!step.answer) this.#accepted.push({ end: journal.writer.nextOffset, texts });
  }

  #noteDurable(journal: TestJournal): void {
    for (const { end, texts } of this.#accepted) {
      if (end <= journal.writer.durableOffset) for (const text of texts) this.durable.add(text);
    }
    this.#accepted = this.#accepted.filter(({ end }) => end > journal.writer.durableOffset);
  }

  #readSome(journal: TestJournal, records: number): void {
    let left = records;
    while (left > 0) {
      const batch = journal.reader.read({ records: left });
      if (batch === undefined) return;
      this.#read.push(...textsOf(batch));
      this.#readEnd = batch.endOffset;
      left -= batch.count;
      batch.release();
    }
  }

  async #send(journal: TestJournal): Promise<void> {
    if (this.#read.length === 0 || this.#sent.length >= 16) return;
    const rows = this.#read;
    const token = `token-${this.#tokens}`;
    this.#tokens += 1;
    for (;;) {
      const begun = await Promise.race([
        journal.reader.beginBatch(this.#readEnd, token).then(
          () => true,
          () => false,
        ),
        this.#cut,
      ]);
      if (begun === CUT) return;
      if (begun) break;
    }
    this.#read = [];
    this.storage.insert(token, rows);
    this.#sent.push(token);
  }

  #commit(journal: TestJournal, which: number): void {
    const [token] = this.#sent.splice(which % Math.max(1, this.#sent.length), 1);
    if (token !== undefined) journal.reader.commitBatch(token);
  }
}

test('acknowledged records are stored once and in order, refused ones never', {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(action, { minLength: 5, maxLength: 120, size: 'max' }),
      fc.infiniteStream(fc.integer({ min: 0, max: 999 })),
      async (actions, chances) => {
        const life = new Life(() => chances.next().value / 1000);
        await life.start();
        for (const step of actions) await life.perform(step);
        const journal = await life.finish();

        const { rows } = life.storage;
        const place = new Map(life.order.map((text, index) => [text, index]));
        const places = rows.map((row) => place.get(row) ?? Number.NaN);
        expect(places).toEqual(places.toSorted((a, b) => a - b));
        expect(new Set(rows).size).toBe(rows.length);
        const stored = new Set(rows);
        for (const text of life.durable) expect(stored).toContain(text);
        for (const text of life.refused) expect(stored).not.toContain(text);
        expect(journal.stats()).toMatchObject({ lostRecords: 0, droppedRecords: 0, uncommittedRecords: 0 });
      },
    ),
    { numRuns: 150, timeout: 20_000 },
  );
});
