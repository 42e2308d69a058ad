import { definePlainConverter } from '../converter.ts';

export const lowercase = definePlainConverter(
  { id: 'lowercase', name: 'Lowercase', description: 'The text in lower case.' },
  { kind: 'value', convert: (text) => text.toLocaleLowerCase('en') },
);
