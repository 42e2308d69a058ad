import { InvalidError } from '#core/index.ts';
import { findJsonFault } from './json-fault.ts';

/** No request of the API needs nearly as much. */
const MAX_DEPTH = 100;
const ESCAPED_UNDERSCORE = '\\u005';

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** The text of a body. A byte order mark, which some editors write, is left out. Bytes that are not UTF-8 give a 400. */
export function decodeBody(bytes: Buffer): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    throw malformed(
      'The body is not valid UTF-8. Send it as UTF-8, whatever charset the content type names.',
    );
  }
}

/** Parses a JSON body. An empty text means no body; invalid JSON gives a 400 with the position of the error. */
export function parseJsonBody(text: string): unknown {
  if (text.length === 0) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw malformed(describeFault(text));
  }
  if (text.length > 2 * MAX_DEPTH || text.includes('__proto__') || text.includes(ESCAPED_UNDERSCORE)) {
    refuseUnsafeValue(value);
  }
  return value;
}

/**
 * A `__proto__` key survives JSON.parse as an own property and becomes a prototype when the object is copied. Very deep
 * nesting overflows the stack of code that walks the value. This function goes level by level, so its own stack is safe.
 */
function refuseUnsafeValue(value: unknown): void {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) throw malformed(`The body is nested more than ${MAX_DEPTH} levels deep.`);
    const nextLevel: unknown[] = [];
    for (const current of level) {
      if (typeof current !== 'object' || current === null) continue;
      if (Object.hasOwn(current, '__proto__')) {
        throw malformed('The body has a property "__proto__", which is not allowed.');
      }
      for (const inner of Object.values(current)) nextLevel.push(inner);
    }
    level = nextLevel;
  }
}

function malformed(message: string): InvalidError {
  return new InvalidError(message, { code: 'malformed_body' });
}

function describeFault(text: string): string {
  const fault = findJsonFault(text);
  if (fault === undefined) return 'The body is not valid JSON.';
  const found = fault.found === undefined ? 'the body ends there' : `found ${JSON.stringify(fault.found)}`;
  return `The body is not valid JSON: line ${fault.line} column ${fault.column}: expected ${fault.expected}, ${found}.`;
}
