/**
 * Limits the memory for the answers of all searches of this node together. How large an answer is shows only when it
 * arrives, so a search that finds no room then is refused.
 */
import { UnavailableError } from '#core/index.ts';

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
              `The answers of all searches on this node together are larger than ${Math.round(maxBytes / 2 ** 20)} MiB. Try again in a moment, or request fewer messages or fields, or export the messages.`,
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
