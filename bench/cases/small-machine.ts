/**
 * `npm run bench -- small-machine [megabytes] [messages]`: a whole node that has only so much memory, 1024 MB unless told
 * otherwise, under load and with searches beside it. It must not be killed, every message must be stored, and every
 * search answered. Prints the most memory the kernel counted, with and without pages of files that it can drop, idle and
 * under load. The last line is JSON. Needs root and control groups (version 1 or 2) with the memory controller; it says so
 * if they are missing.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startBenchNode, startMixSender, until } from '../support/bench-node.ts';
import { type MemoryGroup, openMemoryGroup } from '../support/memory-group.ts';

const MEGABYTES = 1024;
const MESSAGES = 300_000;
const MESSAGES_EMULATED = 20_000;
const CONNECTIONS = 4;
/** Long enough for the engine to have started and to have nothing left to do. */
const IDLE_MS = 10_000;
const QUERIES = ['*', 'cart', 'http_status:500', 'message:/products\\/\\d+ 503/', 'user_agent:*linux*'];

export async function run([megabytes = MEGABYTES, count]: (string | number)[]): Promise<void> {
  const group = openMemoryGroup(Number(megabytes) * 2 ** 20);
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'millrace-bench-small-'));
  const messages = Number(count ?? (process.arch === 'x64' ? MESSAGES : MESSAGES_EMULATED));
  try {
    const figures: Record<string, unknown> = {};
    for (const mix of ['web', 'wide']) {
      figures[mix] = await measure(group, path.join(directory, mix), mix, messages);
      console.log(`${mix}: ${JSON.stringify(figures[mix])}`);
    }
    console.log(
      JSON.stringify({ bench: 'small-machine', megabytes: Number(megabytes), messages, ...figures }),
    );
  } finally {
    group.close();
    fs.rmSync(directory, { recursive: true, force: true });
  }
}

async function measure(group: MemoryGroup, dataDir: string, mix: string, messages: number) {
  const node = await startBenchNode({ dataDir, wrapper: group.wrapper });
  try {
    await delay(IDLE_MS);
    const idle = group.used();
    const send = await startMixSender(node, { mix, messages, connections: CONNECTIONS });
    const most = { all: 0, withoutFiles: 0 };
    const sampler = setInterval(() => {
      const now = group.used();
      most.all = Math.max(most.all, now.all);
      most.withoutFiles = Math.max(most.withoutFiles, now.withoutFiles);
    }, 200);
    const startedAt = performance.now();
    const sending = send();
    let searches = 0;
    await until(async () => {
      const query = encodeURIComponent(QUERIES[searches % QUERIES.length] ?? '*');
      await node.text('GET', `/search/universal/relative?query=${query}&range=0&limit=100`);
      searches += 1;
      return (await node.call<{ events: number }>('GET', '/count/total')).events >= messages;
    });
    const seconds = (performance.now() - startedAt) / 1000;
    await sending;
    clearInterval(sampler);
    const { events: stored } = await node.call<{ events: number }>('GET', '/count/total');
    if (stored !== messages) throw new Error(`${messages} messages were sent, ${stored} are stored`);
    const kills = group.kills();
    if (kills > 0) throw new Error(`the kernel killed ${kills} processes for want of memory`);
    const megabytes = ({ all, withoutFiles }: typeof most) => ({
      all: Math.round(all / 2 ** 20),
      withoutFiles: Math.round(withoutFiles / 2 ** 20),
    });
    return {
      messagesPerSecond: Math.round(messages / seconds),
      searches,
      idleMegabytes: megabytes(idle),
      mostMegabytes: megabytes(most),
    };
  } finally {
    await node.stop();
  }
}
