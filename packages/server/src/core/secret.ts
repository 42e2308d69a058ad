import { inspect } from 'node:util';

const REDACTED = '[redacted]';

/**
 * A value that must not appear in logs, errors, JSON or audit entries. Every way of printing it shows
 * `[redacted]`; only `reveal()` gives the value, so that each use is easy to find.
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return REDACTED;
  }

  toJSON(): string {
    return REDACTED;
  }

  [inspect.custom](): string {
    return REDACTED;
  }
}
