import { expect, test } from 'vitest';
import { typedActions } from './typed-actions.ts';

const hrefs = (text: string) => typedActions(text, 'http://localhost:9000').map(({ href }) => href);

test.each([
  ['', []],
  ['timeout', ['/search?q=timeout']],
  ['"abc', ['/search?q=%22%5C%22abc%22']],
  ['http://localhost:9000/search?q=a&t=1h#x', ['/search?q=a&t=1h#x']],
  [
    'https://graylog.example.org/streams/5/search?rangetype=relative',
    ['/streams/5/search?rangetype=relative'],
  ],
  ['/streams', ['/streams']],
  ['//evil.example/streams', ['/streams']],
  ['https://example.org/other', ['/search?q=%22https%3A%2F%2Fexample.org%2Fother%22']],
  ['01M7EW3HNHRF14FYTH00000005', ['/search?q=_id%3A%2201M7EW3HNHRF14FYTH00000005%22&t=3650d']],
  [
    '000000000000000000000001',
    ['/search?s=000000000000000000000001', '/search?q=gl2_source_input%3A000000000000000000000001'],
  ],
])('%j offers %j', (text, expected) => {
  expect(hrefs(text)).toEqual(expected);
});
