import { setTimeout as delay } from 'node:timers/promises';
import type { BenchNode } from './bench-node.ts';

/** Streams as people have them: by level, by source, by a word in the message, by fields; some match nothing. */
export async function createTenStreams(node: BenchNode): Promise<void> {
  const rules = [
    { type: 3, field: 'level', value: '5' },
    { type: 4, field: 'level', value: '4' },
    { type: 1, field: 'source', value: 'web-1' },
    { type: 6, field: 'message', value: 'timed out' },
    { type: 2, field: 'message', value: '^(GET|POST) /api/v2/cart' },
    { type: 5, field: 'http_status', value: '' },
    { type: 3, field: 'http_status', value: '499' },
    { type: 1, field: 'application_name', value: 'sshd' },
    { type: 1, field: 'EventID', value: '4625' },
    { type: 1, field: 'nothing', value: 'never' },
  ];
  for (const [index, rule] of rules.entries()) {
    const { stream_id: id } = await node.call<{ stream_id: string }>('POST', '/streams', {
      title: `stream ${index}`,
      index_set_id: '000000000000000000000001',
      rules: [{ ...rule, inverted: false }],
    });
    await node.call('POST', `/streams/${id}/resume`);
  }
  // Changes are live in all workers within a second.
  await delay(1500);
}
