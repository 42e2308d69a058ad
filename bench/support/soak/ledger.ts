/** How a message was sent: by HTTP, TCP or UDP. The first letter of its text. */
export const CHANNELS = ['h', 't', 'u'] as const;
export type Channel = (typeof CHANNELS)[number];

const SENT = 1;
const ACKNOWLEDGED = 2;
const FIRST_SIZE = 65_536;

/** What became of every message so far, in one byte each, so that a run of hours stays small. */
export class Ledger {
  readonly #states = new Map<Channel, Uint8Array>(
    CHANNELS.map((channel) => [channel, new Uint8Array(FIRST_SIZE)]),
  );
  readonly #sent = new Map<Channel, number>();
  readonly #acknowledged = new Map<Channel, number>();

  /** The number of a message that is about to be sent. Its text is channel and number. */
  next(channel: Channel): number {
    const number = this.sent(channel);
    const states = this.#statesWithRoomFor(channel, number);
    states[number] = SENT;
    this.#sent.set(channel, number + 1);
    return number;
  }

  acknowledge(channel: Channel, numbers: readonly number[]): void {
    const states = this.#statesWithRoomFor(channel, 0);
    for (const number of numbers) states[number] = ACKNOWLEDGED;
    this.#acknowledged.set(channel, this.acknowledged(channel) + numbers.length);
  }

  isAcknowledged(channel: Channel, number: number): boolean {
    return this.#statesWithRoomFor(channel, 0)[number] === ACKNOWLEDGED;
  }

  sent(channel: Channel): number {
    return this.#sent.get(channel) ?? 0;
  }

  acknowledged(channel: Channel): number {
    return this.#acknowledged.get(channel) ?? 0;
  }

  #statesWithRoomFor(channel: Channel, number: number): Uint8Array {
    const states = this.#states.get(channel) ?? new Uint8Array(FIRST_SIZE);
    if (number < states.length) return states;
    const larger = new Uint8Array(states.length * 2);
    larger.set(states);
    this.#states.set(channel, larger);
    return larger;
  }
}
