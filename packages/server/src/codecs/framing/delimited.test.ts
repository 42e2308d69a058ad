import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createDelimitedFramer, type Delimiter, type FramingResult } from './delimited.ts';
import { FRAMES_AT_ONCE, type FrameSink } from './frames.ts';

interface Outcome {
  frames: string[];
  result: FramingResult;
}

/** Feeds the chunks, ends the stream and gives what came out, with the last result. */
function frame(delimiter: Delimiter, chunks: readonly Buffer[], maxFrameBytes?: number): Outcome {
  const framer = createDelimitedFramer({
    delimiter,
    ...(maxFrameBytes === undefined ? {} : { maxFrameBytes }),
  });
  const frames: string[] = [];
  const collect: FrameSink = ({ bytes, starts, ends, count }) => {
    for (let i = 0; i < count; i++) frames.push(bytes.toString('latin1', starts[i], ends[i]));
  };
  let result: FramingResult = 'ok';
  for (const chunk of chunks) result = framer.push(chunk, collect);
  if (result === 'ok') result = framer.end(collect);
  return { frames, result };
}

describe('frames', () => {
  const cases: [string, Delimiter, string[], string[]][] = [
    ['one frame', 'null', ['a\0'], ['a']],
    ['many frames in one chunk', 'null', ['a\0bc\0def\0'], ['a', 'bc', 'def']],
    ['a frame over three chunks', 'null', ['a', 'b', 'c\0'], ['abc']],
    ['the delimiter alone in a chunk', 'null', ['abc', '\0'], ['abc']],
    ['an empty frame is reported', 'null', ['a\0\0b\0'], ['a', '', 'b']],
    ['the last frame at the end of the stream', 'null', ['a\0b'], ['a', 'b']],
    ['nothing at all', 'null', [], []],
    ['only a delimiter', 'null', ['\0'], ['']],
    ['an empty chunk', 'null', ['a', '', 'b\0'], ['ab']],
    ['newlines are content between nulls', 'null', ['a\nb\0'], ['a\nb']],
    ['nulls are content between newlines', 'newline', ['a\0b\n'], ['a\0b']],
    ['carriage return and line feed', 'newline', ['a\r\nb\nc\r\n'], ['a', 'b', 'c']],
    ['carriage return and line feed in two chunks', 'newline', ['a\r', '\nb\n'], ['a', 'b']],
    ['an empty line', 'newline', ['\r\n\n'], ['', '']],
    ['a carriage return that is content', 'newline', ['a\rb\n'], ['a\rb']],
    ['only one carriage return is stripped', 'newline', ['a\r\r\n'], ['a\r']],
  ];
  test.each(cases)('%s', (_name, delimiter, chunks, frames) => {
    expect(
      frame(
        delimiter,
        chunks.map((chunk) => Buffer.from(chunk, 'latin1')),
      ),
    ).toEqual({ frames, result: 'ok' });
  });

  test('more frames than are handed out at once', () => {
    const lines = Array.from({ length: FRAMES_AT_ONCE * 2 + 3 }, (_, i) => String(i));
    expect(frame('null', [Buffer.from(`${lines.join('\0')}\0`)]).frames).toEqual(lines);
  });

  test('a frame within one chunk is a view of it, a carried frame has its own memory', () => {
    const framer = createDelimitedFramer({ delimiter: 'null' });
    const seen: Buffer[] = [];
    const chunk = Buffer.from('one\0tw');
    framer.push(chunk, ({ bytes }) => seen.push(bytes));
    framer.push(Buffer.from('o\0'), ({ bytes, starts, ends }) =>
      seen.push(bytes.subarray(starts[0], ends[0])),
    );
    framer.push(Buffer.from('three\0fo'), () => {});
    framer.push(Buffer.from('ur\0'), () => {});
    expect(seen[0]).toBe(chunk);
    expect(String(seen[1])).toBe('two');
  });
});

describe('the limit', () => {
  const cases: [string, Delimiter, string[], string[], FramingResult][] = [
    ['a frame of exactly the limit', 'null', ['12345\0'], ['12345'], 'ok'],
    ['one byte more', 'null', ['a\x00123456\0b\0'], ['a'], 'too-long'],
    ['one byte more, never delimited', 'null', ['a\x00123', '456'], ['a'], 'too-long'],
    ['one byte more at the end of the stream', 'newline', ['123456'], [], 'too-long'],
    ['the limit and a carriage return', 'newline', ['12345\r\n'], ['12345'], 'ok'],
    ['the limit and a carriage return apart', 'newline', ['12345\r', '\n'], ['12345'], 'ok'],
    ['one byte more before the line feed', 'newline', ['123456', '\n'], [], 'too-long'],
  ];
  test.each(cases)('%s', (_name, delimiter, chunks, frames, result) => {
    const buffers = chunks.map((chunk) => Buffer.from(chunk, 'latin1'));
    expect(frame(delimiter, buffers, 5)).toEqual({ frames, result });
  });

  test('after a frame that is too long nothing is kept and nothing comes out', () => {
    const framer = createDelimitedFramer({ delimiter: 'null', maxFrameBytes: 5 });
    expect(framer.push(Buffer.from('1234567'), () => {})).toBe('too-long');
    expect(framer.pendingBytes).toBe(0);
    const fail = () => {
      throw new Error('a frame came out');
    };
    expect(framer.push(Buffer.from('a\0'), fail)).toBe('too-long');
    expect(framer.end(fail)).toBe('too-long');
  });
});

/** The bytes that matter often, the others sometimes. */
const streamBytes = fc
  .array(
    fc.oneof({ weight: 3, arbitrary: fc.constantFrom(0, 10, 13) }, { weight: 5, arbitrary: fc.nat(255) }),
    {
      maxLength: 120,
    },
  )
  .map((bytes) => Buffer.from(bytes));

test('any split of the bytes gives the same frames and the same result', () => {
  fc.assert(
    fc.property(
      streamBytes,
      fc.array(fc.nat(120), { maxLength: 12 }),
      fc.constantFrom<Delimiter>('null', 'newline'),
      fc.constantFrom(3, 8, 1000),
      (bytes, cuts, delimiter, limit) => {
        const places = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)), bytes.length].sort(
          (a, b) => a - b,
        );
        const chunks = places.slice(1).map((place, i) => bytes.subarray(places[i], place));
        expect(frame(delimiter, chunks, limit)).toEqual(frame(delimiter, [bytes], limit));
      },
    ),
  );
});

test('the frames are what splitting the text gives', () => {
  fc.assert(
    fc.property(streamBytes, (bytes) => {
      const parts = bytes.toString('latin1').split('\0');
      if (parts.at(-1) === '') parts.pop();
      expect(frame('null', [bytes]).frames).toEqual(parts);
    }),
  );
});

test('what waits is never more than the limit', () => {
  fc.assert(
    fc.property(fc.array(streamBytes, { maxLength: 20 }), (chunks) => {
      const framer = createDelimitedFramer({ delimiter: 'newline', maxFrameBytes: 50 });
      for (const chunk of chunks) {
        framer.push(chunk, () => {});
        expect(framer.pendingBytes).toBeLessThanOrEqual(51);
      }
    }),
  );
});
