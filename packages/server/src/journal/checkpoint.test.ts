import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SimulatedDisk, systemError } from '#testing/simulated-disk.ts';
import {
  type CheckpointState,
  CheckpointWriter,
  decodeSlot,
  encodeSlot,
  loadCheckpoint,
} from './checkpoint.ts';
import { MAX_IN_FLIGHT, MAX_TOKEN_BYTES } from './progress.ts';

const offset = fc.integer({ min: 0, max: 2 ** 50 });
const stateArbitrary: fc.Arbitrary<CheckpointState> = fc.record({
  committed: offset,
  durable: offset,
  inFlight: fc.array(
    fc.record({
      fromOffset: offset,
      endOffset: offset,
      token: fc.string({ minLength: 1, maxLength: 30 }),
    }),
    { maxLength: MAX_IN_FLIGHT },
  ),
});

test('a slot comes back as it was written, the largest one too', () => {
  fc.assert(
    fc.property(fc.nat(), stateArbitrary, (sequence, state) => {
      expect(decodeSlot(encodeSlot(sequence, state))).toEqual({ sequence, state });
    }),
  );
  const largest = {
    committed: 1,
    durable: 2,
    inFlight: Array.from({ length: MAX_IN_FLIGHT }, (_, i) => ({
      fromOffset: i,
      endOffset: i + 1,
      token: 'ü'.repeat(MAX_TOKEN_BYTES / 2),
    })),
  };
  expect(decodeSlot(encodeSlot(9, largest))).toEqual({ sequence: 9, state: largest });
});

test('neither a changed slot nor random bytes are a slot', () => {
  fc.assert(
    fc.property(stateArbitrary, fc.nat(), fc.integer({ min: 1, max: 255 }), (state, place, change) => {
      const slot = encodeSlot(1, state);
      const used = 16 + slot.readUInt32LE(12);
      const at = place % used;
      slot[at] = (slot[at] as number) ^ change;
      expect(decodeSlot(slot)).toBeUndefined();
    }),
  );
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      expect(decodeSlot(Buffer.from(bytes))).toBeUndefined();
    }),
  );
});

test('whatever a power cut leaves is a state that was current, and none older than the last durable one', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 30 }),
      fc.integer({ min: 0, max: 999 }),
      async (operations, chance) => {
        const disk = new SimulatedDisk();
        disk.random = () => chance / 1000;
        let current = 0;
        let durable = 0;
        const writer = await CheckpointWriter.create(disk.mount(), '/p', 0, () => ({
          committed: current,
          durable: 0,
          inFlight: [],
        }));
        const cut = new Promise<'cut'>((resolve) => {
          disk.onPowerCut = () => resolve('cut');
        });
        disk.cutAfterOperations = operations;
        for (;;) {
          current += 1;
          const written = await Promise.race([writer.persist(), cut]);
          if (written === 'cut') break;
          durable = written.committed;
        }
        const loaded = await loadCheckpoint(disk.mount(), '/p');
        if (loaded.kind !== 'found') throw new Error(loaded.kind);
        expect(loaded.state.committed).toBeGreaterThanOrEqual(durable);
        expect(loaded.state.committed).toBeLessThanOrEqual(current);
      },
    ),
  );
});

test('calls during a write share the next one, and a failure reaches all that waited for it', async () => {
  const disk = new SimulatedDisk();
  let writes = 0;
  disk.fault = (operation) => {
    if (operation === 'write') writes += 1;
  };
  let committed = 0;
  const writer = await CheckpointWriter.create(disk.mount(), '/p', 0, () => ({
    committed,
    durable: 0,
    inFlight: [],
  }));
  writes = 0;
  const first = writer.persist();
  committed = 1;
  const others = [writer.persist(), writer.persist(), writer.persist()];
  expect((await first).committed).toBe(0);
  for (const state of await Promise.all(others)) expect(state.committed).toBe(1);
  expect(writes).toBe(2);

  disk.fault = (operation, file) => {
    if (operation === 'sync') throw systemError('EIO', file);
  };
  const failing = [writer.persist(), writer.persist()];
  for (const result of await Promise.allSettled(failing)) expect(result.status).toBe('rejected');
  disk.fault = () => undefined;
  expect((await writer.persist()).committed).toBe(1);
});
