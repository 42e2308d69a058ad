/**
 * Three nodes that may stand still at any statement, for any time, and go on: what only the leader does (rotation,
 * retention, alerts, their notifications, cleaning up) happens, and happens once. Leases and jobs are the real ones, on
 * a clock of the simulation.
 */
import fc from 'fast-check';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createEvaluator } from '#alerts/evaluation/evaluator.ts';
import { createRuleBook } from '#alerts/evaluation/rule-book.ts';
import type { HttpCall, HttpCaller } from '#alerts/notifications/net/http-call.ts';
import { createNoticeQueue } from '#alerts/notifications/service.ts';
import { completeCondition } from '#alerts/rules/stream-conditions.ts';
import { createLease } from '#cluster/service.ts';
import { createPeriodicJob } from '#core/index.ts';
import type { Metadata } from '#metadata/index.ts';
import { BUILT_IN_INDEX_SETS } from '#storage/index-sets/built-in.ts';
import { createIndexSetDirectory } from '#storage/index-sets/directory.ts';
import { createMaintenance } from '#storage/index-sets/maintenance.ts';
import type { MessageTables, PartFigures } from '#storage/message-tables.ts';
import { tableOf } from '#storage/service.ts';
import { createNotifications } from '#system/service.ts';
import { anAlertRule } from '#testing/alert-records.ts';
import { deliveryFixture } from '#testing/delivery-fixture.ts';
import { ManualClock } from '#testing/manual-clock.ts';
import { openTestMetadata } from '#testing/metadata.ts';
import { notificationContext } from '#testing/notification-fixture.ts';

const NODES = ['a', 'b', 'c'];
const SECONDS = 60;
/** After all pauses are over. */
const AFTERWARDS = 15;
const INDEX_MESSAGES = 5;
const KEPT = 3;
/** Of messages in a minute, one for each rule: they alert at different times. */
const THRESHOLDS = [0, 3, 10, 20, 40, 60];
const LEASE = { name: 'leader', durationMs: 4000 };
const TAKE_OVER_SECONDS = 10;

interface Pause {
  readonly node: string;
  readonly atSecond: number;
  /** It goes on for so many statements of that second, and stops in the middle of its work. */
  readonly statements: number;
  readonly seconds: number;
}

const pauses = fc.array(
  fc.record<Pause>({
    node: fc.constantFrom(...NODES),
    atSecond: fc.nat(SECONDS - 1),
    statements: fc.nat(40),
    seconds: fc.integer({ min: 1, max: 30 }),
  }),
  { minLength: 1, maxLength: 8, size: 'max' },
);
/** How many messages come in each second. */
const traffic = fc.array(fc.constantFrom(0, 0, 0, 1, 2, 7), {
  minLength: SECONDS,
  maxLength: SECONDS,
  size: 'max',
});

/** Whether a node runs, and what of it waits because it does not. */
class Gate {
  stopsIn = Number.POSITIVE_INFINITY;
  until = Number.NEGATIVE_INFINITY;
  isClosed = false;
  /** What was begun and has not ended. */
  tasks = 0;
  /** What is being done outside of the node, which will be answered without anybody's help. */
  underWay = 0;
  #waiting: (() => void)[] = [];

  /** Before and after everything that leaves the process. */
  async pass(): Promise<void> {
    if (this.stopsIn-- <= 0) this.isClosed = true;
    while (this.isClosed) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  open(): void {
    this.isClosed = false;
    this.stopsIn = Number.POSITIVE_INFINITY;
    for (const goOn of this.#waiting.splice(0)) goOn();
  }

  begin(work: () => Promise<unknown>): void {
    this.tasks += 1;
    void work()
      .catch(() => {})
      .finally(() => {
        this.tasks -= 1;
      });
  }

  async outside<T>(work: () => Promise<T>): Promise<T> {
    this.underWay += 1;
    try {
      return await work();
    } finally {
      this.underWay -= 1;
    }
  }
}

/**
 * Between the answer of a receiver and the statement that stores it, nobody can tell whether the notice was sent: a node
 * that stands still there for longer than its claim lasts lets another one send it again. So it does not stop there.
 */
const SENT_ALREADY = new Set(['finish', 'markDone']);

/** Every method waits for the gate, before it does something and before its caller hears of it. */
function behind<T extends object>(gate: Gate, target: T): T {
  return new Proxy(target, {
    get(object, key) {
      const value: unknown = Reflect.get(object, key);
      if (typeof value !== 'function') return value;
      return async (...args: unknown[]) => {
        if (!SENT_ALREADY.has(String(key))) await gate.pass();
        const result: unknown = await gate.outside(async () => value.apply(object, args));
        await gate.pass();
        return result;
      };
    },
  });
}

function metadataBehind(gate: Gate, metadata: Metadata): Metadata {
  const repositories = Object.fromEntries(
    Object.entries(metadata.repositories).map(([name, repository]) => [name, behind(gate, repository)]),
  ) as unknown as Metadata['repositories'];
  // Inside of a transaction nobody stops: SQLite would let the others wait.
  const { transaction } = behind(gate, { transaction: metadata.transaction });
  return { ...metadata, repositories, transaction };
}

/** What ClickHouse has: the messages of each index. */
class Tables {
  readonly rows = new Map<number, number>();
  /** Of all times. */
  readonly written = new Map<number, number>();
  readonly wronglyDropped: number[] = [];
  readonly #table: string;

  constructor(table: string) {
    this.#table = table;
  }

  add(number: number, messages: number): void {
    for (const counts of [this.rows, this.written]) counts.set(number, (counts.get(number) ?? 0) + messages);
  }

  asTables(gate: Gate, newest: () => number): MessageTables {
    const figures = async (): Promise<PartFigures[]> =>
      [...this.rows].map(([number, messages]) => ({
        table: this.#table,
        number,
        messages,
        bytes: messages * 100,
        parts: 1,
      }));
    const dropIndex = async (_: string, number: number) => {
      if (number > newest() - KEPT) this.wronglyDropped.push(number);
      this.rows.delete(number);
    };
    const used: Partial<MessageTables> = { figures, dropIndex, hotIndices: async () => undefined };
    return behind(gate, used) as MessageTables;
  }
}

interface World {
  readonly clock: ManualClock;
  readonly metadata: Metadata;
  readonly tables: Tables;
  /** When messages came, for the rule. */
  readonly messages: number[];
  /** What was sent. */
  readonly calls: HttpCall[];
  newest(): number;
}

/** A node: a lease that it renews, and what it does while it has it. */
async function createNode(id: string, world: World) {
  const { clock } = world;
  const gate = new Gate();
  const metadata = metadataBehind(gate, world.metadata);
  const store = metadata.repositories;
  const logger = pino({ level: 'silent' });
  const deps = { leases: store.leases, monotonic: clock, clock };
  const lease = createLease(deps, { ...LEASE, holder: id });
  const isLeader = lease.isHeld;
  const maintenance = createMaintenance({
    store,
    directory: createIndexSetDirectory({ store, logger }),
    tables: () => world.tables.asTables(gate, world.newest),
    isLeader,
    systemMessages: { publish: async () => {} },
    clock,
    logger,
  });
  const evaluator = createEvaluator({
    metadata,
    book: createRuleBook({ metadata }, { checkIntervalMs: 1000 }),
    figures: behind(gate, {
      async measure(_caller, _options, measurements) {
        return measurements.map(({ figures: [figure] }) => {
          const isIn = (at: number) => at >= (figure?.from ?? 0) && at < (figure?.to ?? 0);
          return { rows: [{ key: [], figures: [world.messages.filter(isIn).length] }], isTruncated: false };
        });
      },
    }),
    messages: {
      find: () => {
        throw new Error('no notice has a backlog');
      },
    },
    queue: createNoticeQueue({ metadata }),
    notifications: createNotifications({ notifications: store.notifications, logger }, { nodeId: id }),
    storedUntil: () => clock.now(),
    isLeader,
    evaluated: () => {},
    took: () => {},
    clock,
    logger,
  });
  const http: HttpCaller = { call: async (call) => void world.calls.push(call) };
  const context = notificationContext({ http });
  const { delivery } = await deliveryFixture({ metadata, clock, isLeader, nodeId: id, context });
  /** Who the database names when a node that takes itself for the leader begins. */
  const strangers: (string | undefined)[] = [];
  const jobs = [
    () => maintenance.rotateDue(),
    () => maintenance.retain(),
    () => evaluator.evaluateDue(),
    () => delivery.runNow(),
    () => store.sessions.removeExpired(),
  ].map((run) => {
    const checked = async () => {
      const holder = await world.metadata.repositories.leases.holder(LEASE.name);
      if (holder !== id && isLeader()) strangers.push(holder);
      await run();
    };
    return createPeriodicJob({ run: checked, logger, isLeader }, { name: 'job', intervalMs: 1000 });
  });
  let renewing = false;
  return {
    gate,
    isLeader,
    strangers,
    /** What its timers begin in a second; what still runs is not begun again. */
    turn(): void {
      if (gate.isClosed) return;
      if (!renewing) {
        renewing = true;
        gate.begin(() => lease.renew().finally(() => (renewing = false)));
      }
      if (gate.tasks > 1) return;
      for (const job of jobs) gate.begin(() => job.runNow());
    },
  };
}

type SimulatedNode = Awaited<ReturnType<typeof createNode>>;

async function createWorld(): Promise<World> {
  const clock = new ManualClock();
  const metadata = await openTestMetadata(clock);
  const store = metadata.repositories;
  const [builtIn] = BUILT_IN_INDEX_SETS;
  if (builtIn === undefined) throw new Error('there is no built-in index set');
  const indexSet = await store.indexSets.insert({
    ...builtIn,
    rotation: { type: 'message-count', config: { max_docs_per_index: INDEX_MESSAGES } },
    retention: { type: 'delete', config: { max_number_of_indices: KEPT } },
  });
  const { id: notification } = await store.alertNotifications.insert({
    streamId: null,
    type: 'http',
    wireType: 'http-notification-v1',
    title: 'Hook',
    description: '',
    configuration: { url: 'https://hooks.example.org/' },
    creator: 'anna',
  });
  for (const threshold of THRESHOLDS) {
    const parameters = { time: 1, threshold, threshold_type: 'MORE', grace: 0 };
    const condition = completeCondition({ type: 'message_count', parameters });
    const notifications = [{ notificationId: notification, parameters: null }];
    await store.alertRules.insert(anAlertRule({ condition, notifiesStream: false, notifications }));
  }
  let newest = 0;
  const rotate: typeof store.indices.rotate = async (...args) => {
    const made = await store.indices.rotate(...args);
    newest = Math.max(newest, made?.number ?? 0);
    return made;
  };
  const repositories = { ...store, indices: { ...store.indices, rotate } };
  return {
    clock,
    metadata: { ...metadata, repositories },
    tables: new Tables(tableOf(indexSet)),
    messages: [],
    calls: [],
    newest: () => newest,
  };
}

/** More than it takes from one statement to the next. */
const TURNS_OF_THE_LOOP = 5;

/** Until every node has done what it can, or stands still. */
async function quiet(nodes: readonly SimulatedNode[]): Promise<void> {
  for (let turns = 0; turns < TURNS_OF_THE_LOOP; turns++) {
    await new Promise(setImmediate);
    if (nodes.some(({ gate }) => gate.underWay > 0)) turns = 0;
  }
}

/** One second in the life of the cluster. Returns whether somebody leads it, or nobody could. */
async function second(world: World, nodes: readonly SimulatedNode[]): Promise<boolean> {
  for (const { gate } of nodes) if (gate.isClosed && world.clock.now() >= gate.until) gate.open();
  await quiet(nodes);
  for (const node of nodes) node.turn();
  await quiet(nodes);
  world.clock.advance(1000);
  await quiet(nodes);
  const running = nodes.filter(({ gate }) => !gate.isClosed);
  expect(nodes.filter(({ isLeader }) => isLeader()).length).toBeLessThanOrEqual(1);
  return running.length === 0 || running.some(({ isLeader }) => isLeader());
}

function addMessages({ tables, messages, clock, newest }: World, count: number): void {
  if (count === 0) return;
  tables.add(newest(), count);
  for (let each = 0; each < count; each++) messages.push(clock.now());
}

async function simulate(world: World, standing: readonly Pause[], coming: readonly number[]) {
  const nodes = await Promise.all(NODES.map((id) => createNode(id, world)));
  let leaderless = 0;
  for (let at = 0; at < SECONDS + AFTERWARDS; at++) {
    addMessages(world, coming[at] ?? 0);
    await world.metadata.repositories.sessions.insert({
      idHash: `session ${at}`,
      userId: null,
      username: 'anna',
      timeoutMs: 1,
      clientAddress: null,
    });
    for (const pause of standing.filter(({ atSecond }) => atSecond === at)) {
      const node = nodes[NODES.indexOf(pause.node)];
      if (node === undefined) continue;
      node.gate.stopsIn = Math.min(node.gate.stopsIn, pause.statements);
      const until = Math.min(at + pause.seconds, SECONDS) - at;
      node.gate.until = Math.max(node.gate.until, world.clock.now() + until * 1000);
    }
    // A pause that has not begun by then does not begin.
    if (at === SECONDS) for (const { gate } of nodes) gate.open();
    leaderless = (await second(world, nodes)) ? 0 : leaderless + 1;
    expect(leaderless).toBeLessThanOrEqual(TAKE_OVER_SECONDS);
  }
  return nodes.flatMap(({ strangers }) => strangers);
}

/** The ids of alerts that somebody was told of. */
function toldAlerts({ calls }: World): string[] {
  return calls.map(({ body }) => JSON.parse(String(body)).event.id as string).toSorted();
}

async function checkOutcome(world: World): Promise<void> {
  const { metadata, tables, newest } = world;
  for (const [number, messages] of tables.written) {
    if (number < newest()) expect(messages).toBeGreaterThanOrEqual(INDEX_MESSAGES);
  }
  expect(tables.written.get(newest()) ?? 0).toBeLessThan(INDEX_MESSAGES);
  expect(tables.wronglyDropped).toEqual([]);
  expect([...tables.rows.keys()].filter((number) => number <= newest() - KEPT)).toEqual([]);
  const { items } = await metadata.repositories.alerts.page({}, { limit: 1000, offset: 0 });
  expect(toldAlerts(world)).toEqual(items.map(({ id }) => id).toSorted());
  const left = await metadata.db.selectFrom('sessions').select('id_hash').execute();
  expect(left.length).toBeLessThanOrEqual(2);
}

test('whoever stands still, the work of the leader is done, and done once', async () => {
  await fc.assert(
    fc.asyncProperty(pauses, traffic, async (standing, coming) => {
      const world = await createWorld();
      try {
        expect(await simulate(world, standing, coming)).toEqual([]);
        await checkOutcome(world);
      } finally {
        await world.metadata.close();
      }
    }),
    { numRuns: 20, endOnFailure: true },
  );
}, 120_000);
