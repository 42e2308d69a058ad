import { MAX_FIELDS, readKeyValues } from '../../rules/index.ts';
import { definePlainConverter } from '../converter.ts';

const KEY = /^[a-zA-Z0-9_-]+$/;

export const tokenizer = definePlainConverter(
  {
    id: 'tokenizer',
    name: 'Key = Value pairs to fields',
    description: 'Reads pairs such as user=alice; each key becomes a field.',
  },
  {
    kind: 'fields',
    convert(text) {
      const pairs = readKeyValues(text.replaceAll(/\s?=\s?/g, '='), { maxPairs: MAX_FIELDS });
      return new Map([...pairs].filter(([key]) => KEY.test(key)));
    },
  },
);
