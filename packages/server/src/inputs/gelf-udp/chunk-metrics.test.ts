import { expect, test } from 'vitest';
import { createGelfChunkAssembler, splitIntoChunks } from '#codecs/index.ts';
import { createMetrics } from '#telemetry/index.ts';
import { createInputMetrics } from '../input-metrics.ts';
import { lossesOf } from '../loss-watch.ts';
import { createChunkMetrics } from './chunk-metrics.ts';

const SENDER = { remoteAddress: '192.0.2.1', remotePort: 4711 };

test('every lost message is among the losses of its input, once', () => {
  const metrics = createMetrics();
  const input = createInputMetrics(metrics, { typeId: 'gelf-udp', wireType: 'wire', inputId: '1' });
  const assembler = createGelfChunkAssembler({ maxMessages: 1 });
  const chunkMetrics = createChunkMetrics(metrics, input, assembler);
  const begin = (id: string, nowMs: number) => {
    const [first] = splitIntoChunks(Buffer.from('x'.repeat(30)), Buffer.from(id), 32);
    assembler.push(first as Buffer, SENDER, nowMs);
  };
  begin('evicted!', 0);
  begin('expired!', 1);
  const tooMany = Buffer.concat([Buffer.from([0x1e, 0x0f]), Buffer.from('too many'), Buffer.from([0, 200])]);
  for (let i = 0; i < 3; i++) assembler.push(tooMany, SENDER, 2);
  chunkMetrics.update();
  assembler.expire(6000);
  begin('expired!', 6001);
  chunkMetrics.update();
  chunkMetrics.update();
  const losses = lossesOf(metrics, 'millrace.component.input.gelf-udp.1');
  expect(Object.fromEntries(losses.map(({ reason, count }) => [reason, count]))).toEqual({
    'dropped.incomplete_chunks': 1,
    'dropped.memory_limit': 1,
    'dropped.too_large': 1,
  });
});
