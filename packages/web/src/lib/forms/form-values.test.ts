import { expect, test } from 'vitest';
import { isShown, problemsAfterAsking } from './form-values.ts';
import { fieldsFromConfiguration } from './from-configuration.ts';

const depending = (value: string | boolean | string[]) => {
  const [field] = fieldsFromConfiguration({
    path: {
      type: 'text',
      human_name: 'Path',
      description: 'Help',
      default_value: '',
      is_optional: true,
      attributes: [],
      additional_info: {},
      depends_on: { field: 'protocol', value },
    },
  });
  return field!;
};

test('a field is shown while another one has the value it depends on, or one of several', () => {
  const both = depending(['HTTP', 'HTTPS']);
  expect(['HTTP', 'HTTPS', 'TCP'].map((protocol) => isShown(both, { protocol }))).toEqual([
    true,
    true,
    false,
  ]);
  expect(isShown(depending('HTTP'), { protocol: 'HTTP' })).toBe(true);
  expect(isShown(depending('HTTP'), { protocol: 'HTTPS' })).toBe(false);
  expect(isShown(depending(true), { protocol: false })).toBe(false);
});

test('what the server found and does not find any more is gone, though another field has mended it', () => {
  const nobody = { email_receivers: 'Nobody gets the mail.' };
  const after = (found: Record<string, string>, lasting: Record<string, string> = {}) =>
    problemsAfterAsking(nobody, { found, lasting, touched: new Set(['user_receivers']) });
  expect(after({})).toEqual({});
  expect(after(nobody)).toEqual(nobody);
  expect(after({}, nobody)).toEqual(nobody);
  expect(after({ email_receivers: 'Not an address.' })).toEqual({ email_receivers: 'Not an address.' });
});

test('a new problem is only shown where somebody has been', () => {
  const found = { port: 'Taken.', title: 'Needed.', 'entries[1].key': 'Twice.' };
  expect(problemsAfterAsking({}, { found, lasting: {}, touched: new Set(['port', 'entries']) })).toEqual({
    port: 'Taken.',
    'entries[1].key': 'Twice.',
  });
});
