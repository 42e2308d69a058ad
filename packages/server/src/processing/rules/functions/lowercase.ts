import { defineFunction, optional, required } from '../define.ts';
import { languageOf } from '../values/conversions.ts';

export const lowercaseFunction = defineFunction({
  name: 'lowercase',
  description: 'Writes a text in lower case.',
  params: [
    required('value', 'String', 'The text.'),
    optional('locale', 'String', 'The language; English if it is left out.'),
  ],
  returns: 'String',
  call: (_, value, locale) => value.toLocaleLowerCase(languageOf(locale)),
});
