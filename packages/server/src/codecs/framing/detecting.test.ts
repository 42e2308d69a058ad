import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createStreamFramer, type StreamFramerConfig } from './detecting.ts';
import type { FrameSink } from './frames.ts';

/** Feeds the chunks and ends the stream: the frames that are not empty, and how often lines were found. */
function frame(delimiter: StreamFramerConfig['delimiter'], chunks: readonly string[], maxFrameBytes = 1000) {
  let lines = 0;
  const framer = createStreamFramer({ delimiter, maxFrameBytes }, () => lines++);
  const frames: string[] = [];
  const collect: FrameSink = ({ bytes, starts, ends, count }) => {
    for (let i = 0; i < count; i++) frames.push(bytes.toString('latin1', starts[i], ends[i]));
  };
  let result = 'ok';
  for (const chunk of chunks) result = framer.push(Buffer.from(chunk, 'latin1'), collect);
  if (result === 'ok') result = framer.end(collect);
  return { frames: frames.map((each) => each.trim()).filter((each) => each !== ''), lines, result };
}

const PRETTY = '{\n "a": {\n },\n "b": 1\n}';

describe('with auto, the first message tells', () => {
  const cases: [string, string[], string[]][] = [
    ['newlines', ['{"a":1}\n{"b":2}\n'], ['{"a":1}', '{"b":2}']],
    ['newlines with carriage returns', ['{"a":1}\r\n{"b":2}\r\n'], ['{"a":1}', '{"b":2}']],
    ['null bytes', ['{"a":1}\0{"b":\n2}\0'], ['{"a":1}', '{"b":\n2}']],
    ['a pretty-printed message', [`${PRETTY}\0{"b":2}\0`], [PRETTY, '{"b":2}']],
    ['a newline at the end of what was received', ['{"a":1}\n', '{"b":2}\n'], ['{"a":1}', '{"b":2}']],
    ['a message in pieces', ['{"a"', ':1', '}', '\n{"b":2}\n'], ['{"a":1}', '{"b":2}']],
    ['blank lines before it', ['\n', '\r\n{"a":1}\n{"b":2}'], ['{"a":1}', '{"b":2}']],
    ['blank lines after it', ['{"a":1}\n\n', '\r\n{"b":2}\n\n{"c":3}'], ['{"a":1}', '{"b":2}', '{"c":3}']],
    ['a line that ends inside of an object', ['{"a":{"x":1}\n', ',"b":2}\0'], ['{"a":{"x":1}\n,"b":2}']],
    ['braces and quotes in texts', ['{"a":"} \\" {"}\n', '{"b":2}\n'], ['{"a":"} \\" {"}', '{"b":2}']],
    ['newline and null byte', ['{"a":1}\n\0{"b":2}\n\0'], ['{"a":1}', '{"b":2}']],
    ['one message without an end', ['{"a":1}'], ['{"a":1}']],
    ['no JSON', ['hello\nworld\0again'], ['hello\nworld', 'again']],
  ];
  test.each(cases)('%s', (_name, chunks, frames) => {
    expect(frame('auto', chunks)).toEqual({ frames, lines: 0, result: 'ok' });
  });

  test('however the bytes are split', () => {
    const bytes = '{"a":{"x":"}"}}\n\r\n{"b":2}\n{"c":3}\n';
    const places = fc.uniqueArray(fc.integer({ min: 1, max: bytes.length - 1 }));
    fc.assert(
      fc.property(places, (cuts) => {
        const ends = [...cuts.toSorted((a, b) => a - b), bytes.length];
        const chunks = ends.map((end, at) => bytes.slice(ends[at - 1] ?? 0, end));
        expect(frame('auto', chunks).frames).toEqual(['{"a":{"x":"}"}}', '{"b":2}', '{"c":3}']);
      }),
    );
  });

  test('a message that is too long is refused before its end is known', () => {
    expect(frame('auto', ['{"a":"', 'x'.repeat(2000)]).result).toBe('too-long');
  });
});

describe('an input for null bytes', () => {
  const cases: [string, string[], number][] = [
    ['finds lines', ['{"a":1}\n{"b":2}\n'], 1],
    ['finds lines over several reads', ['{"a":1}\n', '{"b":2}\n'], 1],
    ['finds lines with blank lines between', ['{"a":1}\n\n', '\n{"b":2}\n'], 1],
    ['says it once for a connection', ['{"a":1}\n{"b":2}\n{"c":3}\n', '{"d":4}\n'], 1],
    ['finds none in messages that end with null bytes', ['{"a":1}\0{"b":2}\n{"c":3}\0'], 0],
    ['finds none in a pretty-printed message', [`${PRETTY}\0`], 0],
    ['finds none where a null byte follows the newline', ['{"a":1}\n', '\0{"b":2}\n\0'], 0],
  ];
  test.each(cases)('%s', (_name, chunks, lines) => {
    const found = frame('null', chunks);
    expect(found.lines).toBe(lines);
    // The frames are those of null bytes in any case.
    expect(found.frames).toEqual(
      chunks
        .join('')
        .split('\0')
        .map((each) => each.trim())
        .filter((each) => each !== ''),
    );
  });
});
