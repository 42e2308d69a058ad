import { textOf } from '@millrace/rules';
import { defineFunction, nullable, optional } from '../define.ts';
import { UrlValue } from '../values/url-value.ts';

export const toUrlFunction = defineFunction({
  name: 'to_url',
  description:
    'Converts a value to a URL, whose parts can be read: url.host, url.path, url.query, url.queryParams.',
  params: [
    nullable('url', 'Object', 'The value, usually a text.'),
    optional('default', 'String', 'The URL for what is missing or not a URL; no result if it is left out.'),
  ],
  returns: 'URL',
  call: (_, value, fallback = '') => {
    const url = value instanceof UrlValue ? value : UrlValue.parse(textOf(value));
    return url ?? UrlValue.parse(fallback);
  },
});
