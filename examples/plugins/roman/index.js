import { defineFunction, definePlugin, required } from '@millrace/plugin-api';

const SIGNS = [
  [1000, 'M'],
  [900, 'CM'],
  [500, 'D'],
  [400, 'CD'],
  [100, 'C'],
  [90, 'XC'],
  [50, 'L'],
  [40, 'XL'],
  [10, 'X'],
  [9, 'IX'],
  [5, 'V'],
  [4, 'IV'],
  [1, 'I'],
];

/** In a rule: `set_field("year", roman(2026));` */
const numeral = defineFunction({
  name: 'roman',
  description: 'Writes a number from 1 to 3999 as the Romans did; nothing for other numbers.',
  params: [required('value', 'Long', 'The number.')],
  returns: 'String',
  call(_context, value) {
    // Large integers are BigInt.
    let rest = Number(value);
    if (rest < 1 || rest > 3999) return undefined;
    let text = '';
    for (const [number, sign] of SIGNS) {
      for (; rest >= number; rest -= number) text += sign;
    }
    return text;
  },
});

export default definePlugin({ components: [numeral] });
