import { InvalidError } from '#core/index.ts';
import { findJsonFault } from './json-fault.ts';

/** No shape of the API comes near it. */
const MAX_DEPTH = 100;
const ESCAPED_UNDERSCORE = '\\u005';

/** Reads a JSON body. An empty one is no body; a bad one is a 400 that says where it goes wrong. */
export function parseJsonBody(text: string): unknown {
  if (text.length === 0) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw malformed(describeFault(text));
  }
  if (text.length > 2 * MAX_DEPTH || text.includes('__proto__') || text.includes(ESCAPED_UNDERSCORE)) {
    refuseDangerous(value);
  }
  return value;
}

/**
 * A `__proto__` key survives JSON.parse as an own property and becomes a prototype once somebody copies it;
 * nesting without end overflows the stack of whoever walks the value. Goes level by level, so it cannot itself.
 */
function refuseDangerous(value: unknown): void {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) throw malformed(`The body is nested more than ${MAX_DEPTH} levels deep.`);
    const below: unknown[] = [];
    for (const current of level) {
      if (typeof current !== 'object' || current === null) continue;
      if (Object.hasOwn(current, '__proto__')) {
        throw malformed('The body has a property "__proto__", which is not allowed.');
      }
      for (const inner of Object.values(current)) below.push(inner);
    }
    level = below;
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
