import { defineFunction, required } from '../define.ts';

export const stringEntropyFunction = defineFunction({
  name: 'string_entropy',
  description: 'The entropy of the characters of a text, in bits: high for random texts.',
  params: [required('value', 'String', 'The text.')],
  returns: 'Double',
  call: (_, value) => {
    const counts = new Map<string, number>();
    for (const letter of value) counts.set(letter, (counts.get(letter) ?? 0) + 1);
    const total = [...value].length;
    let entropy = 0;
    for (const count of counts.values()) entropy -= (count / total) * Math.log2(count / total);
    return entropy === 0 ? 0 : entropy;
  },
});
