import { BoundedMap, type Clock } from '#core/index.ts';

/**
 * Bounds the work of payloads that decompress to many times their size.
 *
 * Output of up to 32 times a payload is in proportion to what its sender had to send: compressed logs stay far below.
 * Output beyond that is taken from an allowance of the sender and one of all senders together. Both fill up again at a
 * steady rate. Measured: a megabyte of output costs 1 ms of CPU, and what becomes of it afterwards as much again.
 */
export interface DecompressionAllowance {
  /** The most that a payload of this size may decompress to now. */
  limitFor(sender: string, payloadBytes: number): DecompressionLimit;
  /**
   * Accounts for a payload that was decompressed to this many bytes, or was given up there. No payload is charged more
   * than it can decompress to, so a few broken bytes take nothing from others.
   */
  spend(sender: string, payloadBytes: number, outputBytes: number): void;
}

export interface DecompressionLimit {
  readonly bytes: number;
  /** The part of it that is free. */
  readonly freeBytes: number;
  /** Whose allowance it comes from: the one of which less is left. */
  readonly of: 'sender' | 'everyone';
}

export interface DecompressionAllowanceSettings {
  readonly perSender?: Rate;
  readonly overall?: Rate;
}

interface Rate {
  readonly bytesPerSecond: number;
  readonly maxBytes: number;
}

export const FREE_DECOMPRESSION_RATIO = 32;
/** What deflate reaches at most: two bits for 258 bytes. */
const LARGEST_RATIO = 1032;
const MIB = 1024 * 1024;
const PER_SENDER: Rate = { bytesPerSecond: 4 * MIB, maxBytes: 64 * MIB };
const OVERALL: Rate = { bytesPerSecond: 16 * MIB, maxBytes: 128 * MIB };
/** Senders that have used some of their allowance. */
const MAX_SENDERS = 10_000;

export function createDecompressionAllowance(
  deps: { readonly monotonic: Clock },
  settings: DecompressionAllowanceSettings = {},
): DecompressionAllowance {
  const perSender = settings.perSender ?? PER_SENDER;
  const overall = new Allowance(settings.overall ?? OVERALL, deps.monotonic);
  const senders = new BoundedMap<string, Allowance>({ maxEntries: MAX_SENDERS });

  return {
    limitFor(sender, payloadBytes) {
      const own = senders.get(sender)?.bytes ?? perSender.maxBytes;
      const left = overall.bytes;
      const freeBytes = payloadBytes * FREE_DECOMPRESSION_RATIO;
      return {
        bytes: freeBytes + Math.floor(Math.min(own, left)),
        freeBytes,
        of: own <= left ? 'sender' : 'everyone',
      };
    },
    spend(sender, payloadBytes, outputBytes) {
      const possible = Math.min(outputBytes, payloadBytes * LARGEST_RATIO);
      const excess = possible - payloadBytes * FREE_DECOMPRESSION_RATIO;
      if (excess <= 0) return;
      const own = senders.get(sender) ?? new Allowance(perSender, deps.monotonic);
      senders.set(sender, own);
      own.take(excess);
      overall.take(excess);
    },
  };
}

class Allowance {
  readonly #rate: Rate;
  readonly #monotonic: Clock;
  #bytes: number;
  #filledAt: number;

  constructor(rate: Rate, monotonic: Clock) {
    this.#rate = rate;
    this.#monotonic = monotonic;
    this.#bytes = rate.maxBytes;
    this.#filledAt = monotonic.now();
  }

  get bytes(): number {
    const now = this.#monotonic.now();
    const filled = this.#bytes + ((now - this.#filledAt) / 1000) * this.#rate.bytesPerSecond;
    this.#bytes = Math.min(this.#rate.maxBytes, filled);
    this.#filledAt = now;
    return this.#bytes;
  }

  take(bytes: number): void {
    this.#bytes = Math.max(0, this.bytes - bytes);
  }
}
