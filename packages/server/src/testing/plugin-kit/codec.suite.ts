import { describe, expect, test } from 'vitest';
import { type Codec, createDecoder, DecodeFailure, type DecodeResult } from '#codecs/index.ts';
import { createFieldLayouts, Message, type RawConfiguration } from '#core/index.ts';
import { FIXTURE_SOURCE } from '../message-fixture.ts';

export interface CodecUnderTest {
  readonly codec: Codec;
  readonly configuration?: RawConfiguration;
  /** Frames that are messages. */
  readonly frames: readonly (string | Buffer)[];
}

const RECEIVED_AT = Date.UTC(2026, 0, 1);
const GARBAGE = ['', '\0', ' ', '{', '{}', '[1,2', 'null', '=', '\u{1f4a3}'.repeat(100)].map((text) =>
  Buffer.from(text),
);

/** What `Decoder` demands of every codec. */
export function codecSuite({ codec, configuration = {}, frames }: CodecUnderTest): void {
  const decoder = () => createDecoder(codec, { layouts: createFieldLayouts() }, configuration);
  const known = frames.map((frame) => Buffer.from(frame));
  const bytesOfAllKinds = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
  const all = [...known, ...GARBAGE, bytesOfAllKinds, ...known.map((frame) => frame.subarray(1))];

  function inOneBatch(): DecodeResult[] {
    const results: DecodeResult[] = [];
    const bytes = Buffer.concat(all);
    const ends = all.map((_, at) => all.slice(0, at + 1).reduce((sum, { length }) => sum + length, 0));
    const columns = {
      bytes,
      frameStarts: ends.map((end, at) => end - (all[at]?.length ?? 0)),
      frameEnds: ends,
      receivedAt: all.map(() => RECEIVED_AT),
      sources: all.map(() => FIXTURE_SOURCE),
    };
    decoder().decodeBatch(columns, 0, all.length, results);
    bytes.fill(0);
    return results;
  }

  describe(`${codec.id} keeps the contract of codecs`, () => {
    test('messages become messages, with a source and a time', () => {
      for (const frame of known) {
        const message = decoder().decode(frame, FIXTURE_SOURCE, RECEIVED_AT);
        expect(message).toBeInstanceOf(Message);
        expect(message).toMatchObject({ source: expect.any(String), timestamp: expect.any(Number) });
      }
    });

    test('whatever the bytes are, each frame has one result, and a failure has a declared reason', () => {
      const results = inOneBatch();
      expect(results).toHaveLength(all.length);
      for (const result of results) {
        if (result instanceof DecodeFailure) expect(codec.failureReasons).toContain(result.reason);
        else expect(result).toBeInstanceOf(Message);
      }
    });

    test('a batch gives what its frames give one by one, and keeps nothing of their bytes', () => {
      const face = (result: DecodeResult | undefined) =>
        result instanceof Message ? [result.source, result.message, ...result.values] : result;
      const single = all.map((frame) => decoder().decode(frame, FIXTURE_SOURCE, RECEIVED_AT));
      expect(inOneBatch().map(face)).toEqual(single.map(face));
    });
  });
}
