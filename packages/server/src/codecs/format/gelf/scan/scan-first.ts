import type { Decoder } from '../../codec.ts';
import { type DecodingRules, GelfScanner } from './scanner.ts';

type DecodeBatch = Decoder['decodeBatch'];

/** Leaves messages in their frames where the scanner can read them; all other frames are decoded by `decode`. */
export function scanFirst(rules: DecodingRules, decode: DecodeBatch): DecodeBatch {
  const scanner = new GelfScanner(rules);
  return function decodeBatch(frames, from, to, results) {
    const scanned = scanner.scan(frames, from, to);
    if (scanned === undefined) return decode(frames, from, to, results);
    // Frames from here on were left to us. Several of them in a row are decoded together.
    let left = from;
    for (let index = from; index < to; index++) {
      const message = scanned.message(index);
      if (message === undefined) continue;
      if (left < index) decode(frames, left, index, results);
      left = index + 1;
      results.push(message);
    }
    if (left < to) decode(frames, left, to, results);
  };
}
