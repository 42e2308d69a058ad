import { expect, test } from 'vitest';
import { isShown } from './form-values.ts';
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
