import { type Clock, FAILURE_STREAM_ID } from '#core/index.ts';
import type { MessageJson } from './message-json.ts';
import type { TailNews, WantedTail } from './protocol.ts';

/** What one tail may pass on in a second beyond its number of messages: some messages are long. */
const CHARACTERS_PER_SECOND = 2 * 2 ** 20;

/** One tail inside an worker: who may see what, how much of it, and what is to be told of it. */
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
  /** Of the messages that were looked at, how many this tail may see: tells how many of the skipped ones it might. */
  #examined = 0;
  #seeable = 0;

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
    this.#rate = rate;
  }

  /** Streams of a message are arrays that many messages share, so the last answer is mostly the next one. */
  maySee(streams: readonly string[]): boolean {
    if (streams !== this.#lastStreams) this.#decide(streams);
    this.#examined += 1;
    if (this.#lastMaySee) this.#seeable += 1;
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

  /** To be called before each batch. */
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

  /** A message it may see has matched. True when it is to be passed on with `take`; else it was counted. */
  matches(isRoom: boolean): boolean {
    this.#matched += 1;
    if (this.#rate === 0) return false;
    if (isRoom && this.#messagesLeft >= 1 && this.#charactersLeft > 0) return true;
    this.#dropped += 1;
    return false;
  }

  take(position: number, characters: number): void {
    this.#messagesLeft -= 1;
    this.#charactersLeft -= characters;
    this.#messages.push(position);
  }

  /** How much passes through streams that a follower may not read is not for them to know. */
  skipped(messages: number): void {
    if (this.#streams === undefined) this.#skipped += messages;
    else if (this.#examined > 0) this.#skipped += messages * (this.#seeable / this.#examined);
  }

  /** What is new since the last call, if anything is. */
  takeNews(): TailNews | undefined {
    const skipped = Math.floor(this.#skipped);
    if (this.#matched === 0 && skipped === 0) return undefined;
    const news = {
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
    return news;
  }
}
