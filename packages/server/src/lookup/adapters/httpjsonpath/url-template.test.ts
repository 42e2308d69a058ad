import { expect, test } from 'vitest';
import { urlOf } from './url-template.ts';

// biome-ignore lint/suspicious/noTemplateCurlyInString: it is what people write.
const KEY = '${key}';

test.each([
  [`http://x.example/hosts/${KEY}`, 'web 1', 'http://x.example/hosts/web%201'],
  [`http://x.example/hosts/${KEY}`, '...', 'http://x.example/hosts/...'],
  [`http://x.example/hosts/${KEY}`, 'a.b', 'http://x.example/hosts/a.b'],
  [`http://x.example/hosts/${KEY}`, '%2e', 'http://x.example/hosts/%252e'],
  [`http://x.example/hosts/host-${KEY}`, '..', 'http://x.example/hosts/host-..'],
  [`http://x.example/hosts?name=${KEY}`, '..', 'http://x.example/hosts?name=..'],
  [`http://x.example/a/./b/${KEY}`, 'c', 'http://x.example/a/b/c'],
])('%s with the key %j is %s', (template, key, url) => {
  expect(urlOf(template, key)?.href).toBe(url);
});

test.each([
  [`http://x.example/hosts/${KEY}`, ''],
  [`http://x.example/hosts?name=${KEY}`, ''],
  [`http://x.example/hosts/${KEY}`, '.'],
  [`http://x.example/hosts/${KEY}`, '..'],
  [`http://x.example/hosts/${KEY}/owner`, '.'],
  // As deep as without the key.
  [`http://x.example/hosts/${KEY}/${KEY}`, '..'],
  [`http://x.example/hosts/.${KEY}`, '.'],
  [`http://x.example/hosts/%2e${KEY}`, '.'],
  [`http://x.example/hosts/%2${KEY}`, 'e'],
  [`http://x.example/hosts/${KEY}${KEY}`, '.'],
  [`http://x.example/hosts\\${KEY}`, '..'],
  // The parser removes these characters.
  [`http://x.example/hosts/\t${KEY}`, '..'],
  [`http://x.example/hosts/${KEY} `, '.'],
  [`http://x.example/hosts/${KEY}`, '../admin'],
  [`http://x.example/hosts/${KEY}`, 'a\\..\\..\\admin'],
])('%j with the key %j leads to another place', (template, key) => {
  expect(urlOf(template, key)).toBeUndefined();
});
