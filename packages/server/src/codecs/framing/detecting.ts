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
const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/**
 * Cuts a stream of JSON objects into frames. A sender that ends them with newlines would fill one frame of an input that
 * waits for null bytes: `linesFound` is then called, or with `auto` its frames end with newlines.
 *
 * What tells is the first newline of a connection, if no null byte comes before it: one that comes after a whole object, with
 * nothing but white space before the next `{`. A pretty-printed object has its first newline inside. With `auto`, a newline
 * after a whole object counts as well if nothing else was received, so that a message need not wait for the next one.
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
  /** Where in the first object the last byte was. */
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #hasObject = false;
  /** A newline came after the first object, and what follows has not arrived. */
  #isAfterLine = false;

  constructor(framer: Framer, adapts: boolean, linesFound: () => void) {
    this.#framer = framer;
    this.#adapts = adapts;
    this.#linesFound = linesFound;
  }

  push(chunk: Buffer, sink: FrameSink): FramingResult {
    const isLines = this.#isDecided ? undefined : this.#verdict(chunk);
    if (isLines !== undefined) this.#decide(isLines);
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

  /** Whether messages end with newlines; undefined while nobody can tell. */
  #verdict(chunk: Buffer): boolean | undefined {
    for (const byte of chunk) {
      if (byte === NULL) return false;
      if (this.#isAfterLine) {
        if (byte > SPACE) return byte === OPEN_BRACE;
      } else if (byte === LINE_FEED && (this.#hasObject || this.#depth > 0)) {
        if (this.#depth > 0) return false;
        this.#isAfterLine = true;
      } else if (byte > SPACE || this.#isInString) {
        if (this.#depth === 0 && (this.#hasObject || byte !== OPEN_BRACE)) return false;
        this.#step(byte);
      }
    }
    return this.#isAfterLine && this.#adapts ? true : undefined;
  }

  /** Follows the first object to its end. */
  #step(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (this.#isInString) {
      if (byte === BACKSLASH) this.#isEscaped = true;
      else if (byte === QUOTE) this.#isInString = false;
    } else if (byte === QUOTE) this.#isInString = true;
    else if (byte === OPEN_BRACE) this.#depth += 1;
    else if (byte === CLOSE_BRACE) {
      this.#depth -= 1;
      this.#hasObject = this.#depth === 0;
    }
  }

  #decide(isLines: boolean): void {
    this.#isDecided = true;
    if (!isLines) return;
    if (this.#adapts) this.#framer.endWithNewline();
    else this.#linesFound();
  }
}
