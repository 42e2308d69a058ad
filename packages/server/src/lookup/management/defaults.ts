import type { LookupDefault } from '#metadata/index.ts';
import { answerOf, type LookupAnswer, type LookupObject, type LookupValue, NO_ANSWER } from '../answer.ts';

export interface Defaults {
  readonly defaultSingle: LookupDefault;
  readonly defaultMulti: LookupDefault;
}

/** What a table answers for keys without a value. Throws for a text that is not of its type. */
export function defaultAnswer({ defaultSingle, defaultMulti }: Defaults): LookupAnswer {
  const single = readDefault(defaultSingle);
  const multi = readDefault(defaultMulti);
  if (single !== null && typeof single === 'object') throw new Error('a single value cannot be an object');
  if (multi !== null && (typeof multi !== 'object' || Array.isArray(multi)))
    throw new Error('a multi value is a JSON object');
  if (multi !== null) return { single, multi: multi as LookupObject };
  return single === null ? NO_ANSWER : answerOf(single);
}

function readDefault({ type, text }: LookupDefault): LookupValue {
  switch (type) {
    case 'NULL':
      return null;
    case 'STRING':
      return text;
    case 'BOOLEAN':
      return text.trim().toLowerCase() === 'true';
    case 'NUMBER': {
      const number = Number(text);
      if (text.trim() === '' || !Number.isFinite(number)) throw new Error(`"${text}" is not a number`);
      return number;
    }
    case 'OBJECT':
      try {
        return JSON.parse(text);
      } catch {
        throw new Error(`"${text.slice(0, 50)}" is not JSON`);
      }
  }
}
