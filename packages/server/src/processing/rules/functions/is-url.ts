import { defineFunction, nullable } from '../define.ts';
import { UrlValue } from '../values/url-value.ts';

export const isUrlFunction = defineFunction({
  name: 'is_url',
  description: 'Whether a value is a URL, as to_url() makes it.',
  params: [nullable('value', 'Object', 'The value.')],
  returns: 'Boolean',
  call: (_, value) => value instanceof UrlValue,
});
