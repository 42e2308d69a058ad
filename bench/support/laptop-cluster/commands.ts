/** What a person types while the cluster runs. */
import { searchLines, takeOver, verdictLines } from './demo.ts';
import type { LaptopCluster } from './laptop-cluster.ts';
import type { SearchWatch } from './search-watch.ts';

export const HELP = 'commands: kill node 2, start node 2, kill shard 1, start shard 1, status, help, quit';

const COMMAND = /^(kill|start) (node|shard) (\d+)$/;

interface Part {
  readonly name: string;
  readonly isRunning: boolean;
  start(): Promise<void>;
  kill(): Promise<void>;
}

/** Does what a line says and returns what to answer; undefined for `quit`. */
export async function obey(
  cluster: LaptopCluster,
  watch: SearchWatch,
  line: string,
): Promise<string | undefined> {
  const command = line.trim().toLowerCase().replaceAll(/\s+/g, ' ');
  if (command === '') return '';
  if (command === 'quit' || command === 'exit') return undefined;
  if (command === 'help') return HELP;
  if (command === 'status') {
    const searches = searchLines({ 'since the last time': watch.take() });
    return [await statusOf(cluster), ...searches].join('\n');
  }
  const [, verb, kind, number] = COMMAND.exec(command) ?? [];
  if (verb === undefined) return `"${command}" is not a command; ${HELP}`;
  const parts: readonly Part[] = kind === 'node' ? cluster.members : cluster.shards;
  const part = parts[Number(number) - 1];
  if (part === undefined) return `there is no ${kind} ${number}, only 1 to ${parts.length}`;
  if (verb === 'kill') return kill(cluster, part);
  return start(part);
}

async function kill(cluster: LaptopCluster, part: Part): Promise<string> {
  if (!part.isRunning) return `${part.name} is not running`;
  const leader = await cluster.leader();
  const isLast = cluster.members.filter(({ isRunning }) => isRunning).length === 1;
  const answer = `${part.name} was killed; "start ${part.name}" brings it back`;
  if (part !== leader || isLast) {
    await part.kill();
    return answer;
  }
  const { next, ms } = await takeOver(cluster, leader);
  return `${answer}. It was the leader: ${next.name} leads after ${(ms / 1000).toFixed(1)} s`;
}

async function start(part: Part): Promise<string> {
  if (part.isRunning) return `${part.name} is running`;
  await part.start();
  return `${part.name} is back`;
}

export async function statusOf(cluster: LaptopCluster): Promise<string> {
  const leader = await cluster.leader();
  const nodes = cluster.members.map((member) => {
    const role = member === leader ? ', leads' : '';
    const state = member.isRunning ? `running${role}, GELF over HTTP at port ${member.gelfPort}` : 'killed';
    return `${member.name}   ${member.address}  ${state}`;
  });
  const shards = cluster.shards.map(
    (shard) => `${shard.name}  ${shard.url}  ${shard.isRunning ? 'running' : 'killed'}`,
  );
  return [...nodes, ...shards, `${cluster.load.acknowledged.size} messages acknowledged`].join('\n');
}

/** The end of a session: what became of the messages. */
export async function farewell(cluster: LaptopCluster): Promise<string> {
  return verdictLines(await cluster.verdict()).join('\n');
}
