import { definePlainConverter } from '../converter.ts';

export const uppercase = definePlainConverter(
  { id: 'uppercase', name: 'Uppercase', description: 'The text in upper case.' },
  { kind: 'value', convert: (text) => text.toLocaleUpperCase('en') },
);
