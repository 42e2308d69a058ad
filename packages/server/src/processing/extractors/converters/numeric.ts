import { doubleOf, longOfValue } from '../../rules/index.ts';
import { definePlainConverter } from '../converter.ts';

export const numeric = definePlainConverter(
  { id: 'numeric', name: 'Numeric', description: 'The number in the text; a text that is none stays.' },
  { kind: 'value', convert: (text) => longOfValue(text) ?? finiteOf(text) ?? text },
);

/** `1e400` is larger than every number: stored as infinity it would be neither the text nor a number. */
function finiteOf(text: string): number | undefined {
  const number = doubleOf(text);
  return number !== undefined && Number.isFinite(number) ? number : undefined;
}
