import { errorMessage, InvalidError } from '#core/index.ts';

const ESCAPED_UNDERSCORE = '\\u005';

/** Reads a JSON body. An empty one is no body; a bad one is a 400 that says where it goes wrong. */
export function parseJsonBody(text: string): unknown {
  if (text.length === 0) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new InvalidError(
      `The body is not valid JSON: ${errorMessage(error)}${lineAndColumn(text, error)}`,
      {
        code: 'malformed_body',
      },
    );
  }
  // A `__proto__` key survives JSON.parse as an own property and becomes a prototype once somebody copies it.
  if ((text.includes('__proto__') || text.includes(ESCAPED_UNDERSCORE)) && hasPrototypeKey(value)) {
    throw new InvalidError('The body has a property "__proto__", which is not allowed.', {
      code: 'malformed_body',
    });
  }
  return value;
}

function hasPrototypeKey(value: unknown): boolean {
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const current = pending.pop();
    if (typeof current !== 'object' || current === null) continue;
    if (Object.hasOwn(current, '__proto__')) return true;
    pending.push(...Object.values(current));
  }
  return false;
}

/** The engine names line and column only for some errors; a body that just ends has neither. */
function lineAndColumn(text: string, error: unknown): string {
  const message = errorMessage(error);
  if (message.includes('line ')) return '';
  const position = /position (\d+)/.exec(message)?.[1];
  const offset = position === undefined ? text.length : Number(position);
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  return ` (line ${line} column ${offset - before.lastIndexOf('\n')})`;
}
