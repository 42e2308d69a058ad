import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { createFieldLayouts } from '#core/index.ts';
import { changedBytes } from '#testing/changed-bytes.ts';
import { NO_ORIGIN } from '../codec.ts';
import { createGelfCheck } from './check.ts';
import { createGelfDecoder, DEFAULT_MAX_KEYS } from './decode.ts';
import { GelfFailure } from './failure.ts';
import { KeyTree } from './keys.ts';
import { SingleFrames } from './scan/single-frames.ts';

const NOW = Date.UTC(2026, 5, 1);

function expectSame(check: ReturnType<typeof createGelfCheck>, frame: Buffer): void {
  const decoded = createGelfDecoder({ layouts: createFieldLayouts() }).decode(frame, NO_ORIGIN, NOW);
  const problem = decoded instanceof GelfFailure ? decoded.detail : undefined;
  // From the third time on its keys are known.
  for (let round = 0; round < 3; round++) expect(check(frame, NO_ORIGIN, NOW)?.detail).toBe(problem);
}

test.each([
  '{"version":"1.1","host":"h","short_message":"m","timestamp":1,"level":6,"_a":"b"}',
  '{"host":"h","short_message":"m"}',
  '{"host":"h","short_message":" "}',
  '{"host":"h","short_message":"\\n"}',
  '{"host":"h","short_message":""}',
  '{"host":"h","message":"m"}',
  '{"host":"h","short_message":1}',
  '{"host":"h","short_message":"m","_a":{"b":[1]}}',
  '{"host":"h"}',
  '{"short_message":"m"}',
  '{"host":" ","short_message":"m"}',
  '{"host":"h","short_message":"m"',
  '["m"]',
  '',
])('says the same as the decoder: %s', (frame) => {
  expectSame(createGelfCheck(), Buffer.from(frame));
});

test('what the check does not decode: frames whose keys it has seen twice, if they are not long', () => {
  const frames = new SingleFrames(new KeyTree(createFieldLayouts(), { maxKeys: DEFAULT_MAX_KEYS }));
  const isMessage = (text: string) => frames.isMessage(Buffer.from(`{"host":"h","short_message":"${text}"}`));
  expect([isMessage('a'), isMessage('b'), isMessage('c')]).toEqual([false, false, true]);
  expect(isMessage(' ')).toBe(false);
  expect(isMessage('x'.repeat(65_000))).toBe(true);
  expect(isMessage('x'.repeat(66_000))).toBe(false);
});

test('says the same as the decoder of damaged messages', () => {
  const check = createGelfCheck();
  const message = fc
    .record({
      host: fc.constantFrom('h', '', 'ä'),
      short_message: fc.string({ unit: 'grapheme' }),
      _n: fc.nat(),
    })
    .map((members) => JSON.stringify(members));
  fc.assert(fc.property(changedBytes(message, 3), (frame) => expectSame(check, Buffer.from(frame))));
});

test('decodes where nothing can be scanned', () => {
  vi.stubGlobal('WebAssembly', undefined);
  const warning = vi.spyOn(process, 'emitWarning').mockReturnValue();
  try {
    const check = createGelfCheck();
    expectSame(check, Buffer.from('{"host":"h","short_message":"m"}'));
    expectSame(check, Buffer.from('{"host":"h"}'));
    expect(warning).toHaveBeenCalledOnce();
  } finally {
    vi.unstubAllGlobals();
    warning.mockRestore();
  }
});
