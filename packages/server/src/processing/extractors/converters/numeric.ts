import { doubleOf, longOfValue } from '../../rules/index.ts';
import { definePlainConverter } from '../converter.ts';

export const numeric = definePlainConverter(
  { id: 'numeric', name: 'Numeric', description: 'The number in the text; a text that is none stays.' },
  { kind: 'value', convert: (text) => longOfValue(text) ?? doubleOf(text) ?? text },
);
