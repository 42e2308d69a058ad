/**
 * Limits the memory for all answers of this node together: what searches read, and then what the API has not sent yet.
 * How large an answer is shows only when it is made, so a request that finds no room then is refused.
 */
import { UnavailableError } from './service-errors.ts';

export interface AnswerMemory {
  /** Call `release` when the answer is no longer held. */
  open(): AnswerLease;
}

export interface AnswerLease {
  /** Call it with each piece of the answer. Throws `UnavailableError` when there is no room for it. */
  add(bytes: number): void;
  /** Idempotent. */
  release(): void;
}

const RETRY_AFTER_SECONDS = 5;

export function createAnswerMemory({ maxBytes }: { readonly maxBytes: number }): AnswerMemory {
  let used = 0;
  return {
    open() {
      let held = 0;
      return {
        add(bytes) {
          if (used + bytes > maxBytes) {
            throw new UnavailableError(
              `All answers together that this node makes or that clients have not read yet would be larger than ${Math.round(maxBytes / 2 ** 20)} MiB. Try again in a moment, or request fewer messages or fields, or export the messages.`,
              RETRY_AFTER_SECONDS,
            );
          }
          used += bytes;
          held += bytes;
        },
        release() {
          used -= held;
          held = 0;
        },
      };
    },
  };
}
