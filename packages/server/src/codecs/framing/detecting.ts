import { type DelimitedFramer, type Delimiter, Framer, type FramingResult } from './delimited.ts';
import type { FrameSink } from './frames.ts';

export interface StreamFramerConfig {
  /** `auto`: the first message of a connection tells. */
  readonly delimiter: Delimiter | 'auto';
  /** Longest frame in bytes, without delimiter. */
  readonly maxFrameBytes?: number;
}

const NULL = 0x00;
const LINE_FEED = 0x0a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/**
 * Cuts a stream of JSON objects into frames. A sender that ends them with newlines would fill one frame of an input that
 * waits for null bytes: `linesFound` is then called, or with `auto` its frames end with newlines.
 *
 * What tells is the first newline of a connection, if no null byte comes before it: a newline between `}` and `{`. A
 * pretty-printed object has its first newline after its first brace. With `auto`, a newline that ends what was received
 * counts as well, so that a message need not wait for the next one.
 */
export function createStreamFramer(
  config: StreamFramerConfig,
  linesFound: () => void = () => {},
): DelimitedFramer {
  const { delimiter, maxFrameBytes } = config;
  const limit = maxFrameBytes === undefined ? {} : { maxFrameBytes };
  if (delimiter === 'newline') return new Framer({ delimiter, ...limit });
  return new DetectingFramer(new Framer({ delimiter: 'null', ...limit }), delimiter === 'auto', linesFound);
}

class DetectingFramer implements DelimitedFramer {
  readonly #framer: Framer;
  readonly #adapts: boolean;
  readonly #linesFound: () => void;
  #isDecided = false;
  /** Bytes that are not white space. */
  #first: number | undefined;
  #last: number | undefined;
  /** The first newline ended a chunk, and what follows has not arrived. */
  #isAfterLine = false;

  constructor(framer: Framer, adapts: boolean, linesFound: () => void) {
    this.#framer = framer;
    this.#adapts = adapts;
    this.#linesFound = linesFound;
  }

  push(chunk: Buffer, sink: FrameSink): FramingResult {
    if (!this.#isDecided && chunk.length > 0) this.#look(chunk);
    return this.#framer.push(chunk, sink);
  }

  end(sink: FrameSink): FramingResult {
    return this.#framer.end(sink);
  }

  discard(): void {
    this.#framer.discard();
  }

  get pendingBytes(): number {
    return this.#framer.pendingBytes;
  }

  get heldBytes(): number {
    return this.#framer.heldBytes;
  }

  #look(chunk: Buffer): void {
    if (this.#isAfterLine) {
      this.#decide(chunk[0] === OPEN_BRACE);
      return;
    }
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at];
      if (byte === NULL || (byte === LINE_FEED && this.#first !== undefined)) {
        if (byte === NULL) this.#decide(false);
        else this.#lineEnds(chunk[at + 1]);
        return;
      }
      if (byte === undefined || byte <= 0x20) continue;
      this.#first ??= byte;
      this.#last = byte;
    }
  }

  #lineEnds(next: number | undefined): void {
    const isObject = this.#first === OPEN_BRACE && this.#last === CLOSE_BRACE;
    if (isObject && next === undefined && !this.#adapts) this.#isAfterLine = true;
    else this.#decide(isObject && (next === undefined || next === OPEN_BRACE));
  }

  #decide(isLines: boolean): void {
    this.#isDecided = true;
    if (!isLines) return;
    if (this.#adapts) this.#framer.endWithNewline();
    else this.#linesFound();
  }
}
