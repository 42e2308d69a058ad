import { expect, test } from 'vitest';
import { errorCode } from './errors.ts';

test.each([
  [Object.assign(new Error('no such file'), { code: 'ENOENT', errno: -2 }), 'ENOENT'],
  // As Node reports a disk quota that is used up: when a file is opened, and when it is written to.
  [Object.assign(new Error(), { code: 'Unknown system error -122', errno: -122 }), 'EDQUOT'],
  [Object.assign(new Error(), { code: 'UNKNOWN', errno: -122 }), 'EDQUOT'],
  [Object.assign(new Error(), { code: 17 }), undefined],
  [new Error('no code'), undefined],
  ['text', undefined],
  [null, undefined],
])('the system error code of %s is %s', (error, code) => {
  expect(errorCode(error)).toBe(code);
});
