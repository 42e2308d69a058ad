import { type Clock, FAILURE_STREAM_ID } from '#core/index.ts';
import type { MessageJson } from './message-json.ts';
import type { TailUpdate, WantedTail } from './protocol.ts';

/** A second limit beside the rate, for long messages. */
const CHARACTERS_PER_SECOND = 2 * 2 ** 20;

/** One tail in a worker: what it may see, its limits, and its update for the next delivery. */
export class OpenTail {
  readonly id: number;
  readonly toJson: MessageJson;
  #rate: number;
  readonly #streams: ReadonlySet<string> | undefined;
  readonly #includesFailures: boolean;
  readonly #monotonic: Clock;
  #lastStreams: readonly string[] | undefined;
  #lastMaySee = false;
  #messagesLeft: number;
  #charactersLeft = CHARACTERS_PER_SECOND;
  #filledAt: number;
  #messages: number[] = [];
  #matched = 0;
  #dropped = 0;
  #skipped = 0;
  /** Tested messages and those among them that this tail may see, to estimate its share of the skipped ones. */
  #examined = 0;
  #visible = 0;

  constructor(wanted: WantedTail, toJson: MessageJson, monotonic: Clock) {
    this.id = wanted.id;
    this.toJson = toJson;
    this.#streams = wanted.streams && new Set(wanted.streams);
    this.#includesFailures = wanted.includesFailures;
    this.#rate = wanted.rate;
    this.#messagesLeft = wanted.rate;
    this.#monotonic = monotonic;
    this.#filledAt = monotonic.now();
  }

  setRate(rate: number): void {
    // It was paused, and is as good as new: messages that come at once must not wait for their share of a second.
    if (this.#rate === 0) this.#messagesLeft = rate;
    this.#rate = rate;
  }

  /** Many messages share the same array of streams, so the last answer is cached. */
  maySee(streams: readonly string[]): boolean {
    if (streams !== this.#lastStreams) this.#decide(streams);
    this.#examined += 1;
    if (this.#lastMaySee) this.#visible += 1;
    return this.#lastMaySee;
  }

  #decide(streams: readonly string[]): void {
    const wanted = this.#streams;
    this.#lastStreams = streams;
    this.#lastMaySee =
      wanted === undefined
        ? this.#includesFailures || !streams.includes(FAILURE_STREAM_ID)
        : streams.some((stream) => wanted.has(stream));
  }

  /** Call it before each batch. */
  refill(): void {
    const now = this.#monotonic.now();
    const seconds = Math.max(0, now - this.#filledAt) / 1000;
    this.#filledAt = now;
    this.#messagesLeft = Math.min(this.#rate, this.#messagesLeft + seconds * this.#rate);
    this.#charactersLeft = Math.min(
      CHARACTERS_PER_SECOND,
      this.#charactersLeft + seconds * CHARACTERS_PER_SECOND,
    );
  }

  /** Counts a match. True when the message should be passed to `take`; otherwise it is dropped. */
  countMatch(hasRoom: boolean): boolean {
    this.#matched += 1;
    if (this.#rate === 0) return false;
    if (hasRoom && this.#messagesLeft >= 1 && this.#charactersLeft > 0) return true;
    this.#dropped += 1;
    return false;
  }

  take(position: number, characters: number): void {
    this.#messagesLeft -= 1;
    this.#charactersLeft -= characters;
    this.#messages.push(position);
  }

  /** Only counts an estimate of the messages it may see: the volume of other streams is confidential. */
  countSkipped(messages: number): void {
    if (this.#streams === undefined) this.#skipped += messages;
    else if (this.#examined > 0) this.#skipped += messages * (this.#visible / this.#examined);
  }

  /** Everything since the last call; undefined if nothing happened. */
  takeUpdate(): TailUpdate | undefined {
    const skipped = Math.floor(this.#skipped);
    if (this.#matched === 0 && skipped === 0) return undefined;
    const update = {
      id: this.id,
      messages: this.#messages,
      matched: this.#matched,
      dropped: this.#dropped,
      skipped,
    };
    this.#messages = [];
    this.#matched = 0;
    this.#dropped = 0;
    this.#skipped -= skipped;
    return update;
  }
}
