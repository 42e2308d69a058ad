/**
 * A whole node under load, with something killed again and again at moments that a seed decides: the node, its
 * ClickHouse, or one of its workers; in between indices are rotated. Rules drop some messages, clone some and create
 * further ones of others. Afterwards everything that was acknowledged, and what rules made of it, must be stored exactly
 * once in each of its index sets, and nothing that rules dropped.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../../packages/server/src/testing/eventually.ts';
import { type CrashLoad, startCrashLoad } from './crash-load.ts';
import {
  createSecondIndexSet,
  DEFAULT_INDEX_SET,
  ENGINE_PATIENCE,
  type KillableNode,
  startKillableNode,
  storedMessages,
  uncommittedRecords,
  VICTIMS,
} from './killable-node.ts';
import { callApi } from './node-api.ts';
import { seededRandom } from './seeded-random.ts';

export interface KillRoundsConfig {
  /** The same seed gives the same order and the same pauses. */
  readonly seed: number;
  /** How many times each victim is killed. */
  readonly rounds: number;
  readonly httpSenders: number;
  readonly httpPauseMs: number;
  /** Told what happens. */
  readonly log: (line: string) => void;
}

export interface KillResult {
  readonly kills: number;
  readonly rotations: number;
  readonly sent: number;
  readonly acknowledged: number;
  /** Rows in each table of the two index sets. */
  readonly rows: Readonly<Record<string, number>>;
  /** Acknowledged, and missing in an index set: `table/message`. */
  readonly lost: readonly string[];
  /** More than once in an index set. */
  readonly repeated: readonly string[];
  /** Stored, although rules drop it or do not make it. */
  readonly unexpected: readonly string[];
}

/** Load before each kill: at least this many acknowledged messages, then a random pause. */
const MAX_PAUSE_MS = 1500;
const ACKNOWLEDGED_A_ROUND = 100;

export async function killRounds(config: KillRoundsConfig): Promise<KillResult> {
  const subject = await startKillableNode();
  try {
    return await killUnderLoad(config, subject);
  } finally {
    await subject.stop();
  }
}

async function killUnderLoad(config: KillRoundsConfig, subject: KillableNode): Promise<KillResult> {
  const random = seededRandom(config.seed);
  const secondSet = await createSecondIndexSet(subject);
  await createPipeline(subject);
  // Every worker of the next start knows the pipeline before it reads its first message.
  await subject.restart();
  const { httpSenders, httpPauseMs, log } = config;
  const load = startCrashLoad({
    ports: subject.ports,
    httpSenders,
    tcpConnections: 0,
    httpPauseMs,
  });
  let rotations = 0;
  try {
    const victims = shuffled(Array.from({ length: config.rounds }, () => VICTIMS).flat(), random);
    const moreAcknowledged = () => {
      const enough = load.acknowledged.size + ACKNOWLEDGED_A_ROUND;
      return until(() => load.acknowledged.size >= enough, ENGINE_PATIENCE);
    };
    for (const victim of victims) {
      await moreAcknowledged();
      await delay(random() * MAX_PAUSE_MS);
      const set = random() < 0.5 ? DEFAULT_INDEX_SET : secondSet;
      if ((await callApi(subject.address, 'POST', `/system/deflector/${set}/cycle`)).status === 204)
        rotations++;
      await delay(random() * MAX_PAUSE_MS);
      log(`${load.acknowledged.size} acknowledged, now the ${victim} is killed`);
      await subject.kill(victim);
    }
    await moreAcknowledged();
    await load.stop();
    await until(async () => (await uncommittedRecords(subject)) === 0, ENGINE_PATIENCE);
    log(`${load.acknowledged.size} acknowledged, all of the journal is stored`);
    return { kills: victims.length, rotations, ...(await compare(load, subject)) };
  } finally {
    await load.stop();
  }
}

/** By the last digit of the text `h<n>`. What rules make has other texts, so that they leave it alone. */
const RULES = {
  'drop sevens':
    'starts_with($message.message, "h") && ends_with($message.message, "7") then drop_message();',
  'copy threes': `starts_with($message.message, "h") && ends_with($message.message, "3") then
    set_field(field: "message", value: concat("copy of ", $message.message), message: clone_message());`,
  'make more of fives': `starts_with($message.message, "h") && ends_with($message.message, "5") then
    create_message(concat("made of ", $message.message), "kill");`,
};

async function createPipeline({ address }: KillableNode): Promise<void> {
  const post = async (path: string, body: object) => {
    const answer = await callApi(address, 'POST', `/system/pipelines/${path}`, body);
    if (answer.status !== 200) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  for (const [name, text] of Object.entries(RULES)) {
    const source = `rule "${name}" when ${text.replaceAll('$message.message', 'to_string($message.message)')} end`;
    await post('rule', { source });
  }
  const rules = Object.keys(RULES).map((name) => `rule "${name}"`);
  const { id } = await post('pipeline', {
    source: `pipeline "kills" stage 0 match pass ${rules.join(' ')} end`,
  });
  await post('connections/to_stream', { stream_id: DEFAULT_STREAM, pipeline_ids: [id] });
}

const DEFAULT_STREAM = '000000000000000000000001';

/** What the rules leave of a message, or make of it, in the table of an index set. */
function expectedOf(id: string, table: string): string[] {
  if (id.endsWith('7')) return [];
  if (id.endsWith('3')) return [id, `copy of ${id}`];
  // A new message is in the default stream alone.
  return id.endsWith('5') && table.startsWith('millrace') ? [id, `made of ${id}`] : [id];
}

const SENT = /(?:^|^copy of |^made of )(h\d+)$/;

async function compare(load: CrashLoad, subject: KillableNode) {
  const tables = new Map<string, Map<string, number>>();
  const unexpected: string[] = [];
  for (const { table, message } of await storedMessages(subject)) {
    const id = SENT.exec(message)?.[1];
    if (id === undefined) continue;
    const counts = tables.get(table) ?? new Map<string, number>();
    tables.set(table, counts.set(message, (counts.get(message) ?? 0) + 1));
    if (!expectedOf(id, table).includes(message)) unexpected.push(`${table}/${message}`);
  }
  const each = [...tables];
  return {
    sent: load.sentByHttp(),
    acknowledged: load.acknowledged.size,
    rows: Object.fromEntries(each.map(([table, counts]) => [table.split('_')[0] ?? table, counts.size])),
    lost: each.flatMap(([table, counts]) =>
      [...load.acknowledged]
        .flatMap((id) => expectedOf(id, table))
        .filter((text) => !counts.has(text))
        .map((text) => `${table}/${text}`),
    ),
    repeated: each.flatMap(([table, counts]) =>
      [...counts].filter(([, count]) => count > 1).map(([text]) => `${table}/${text}`),
    ),
    unexpected,
  };
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item);
}
