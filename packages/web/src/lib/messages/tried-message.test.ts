import { expect, test } from 'vitest';
import { readPasted } from './tried-message.ts';

test('a pasted message is read as it is stored, or as GELF', () => {
  expect(readPasted('{"level":3,"user":"ann"}')?.fields).toEqual({ level: 3, user: 'ann' });
  expect(readPasted('{"short_message":"x","host":"web-1","_user":"ann"}')?.fields).toEqual({
    message: 'x',
    source: 'web-1',
    user: 'ann',
  });
  for (const text of ['', '[1]', '"x"', 'null', '{"a":']) expect(readPasted(text)).toBeUndefined();
});
