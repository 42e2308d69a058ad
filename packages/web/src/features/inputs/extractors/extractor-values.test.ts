import { expect, test } from 'vitest';
import { changedValues, initialValues } from '../../../lib/forms/index.ts';
import { carriedOver, type ExtractorType, fieldsOf, requestOf, storedValues } from './extractor-values.ts';

const TYPE = {
  type: 'regex',
  name: 'Regular expression',
  description: '',
  names_fields: false,
  requested_configuration: {
    regex_value: {
      type: 'text',
      human_name: 'Expression',
      description: '',
      default_value: '',
      is_optional: false,
      attributes: [],
      additional_info: {},
      order: 0,
      is_secret: false,
    },
  },
} satisfies ExtractorType;

test('a form has the fields of every extractor and those of its type; what is sent keeps them apart', () => {
  const fields = fieldsOf(TYPE);
  expect(fields.map(({ name }) => name)).toEqual([
    'title',
    'source_field',
    'regex_value',
    'target_field',
    'cut_or_copy',
    'condition_type',
    'condition_value',
  ]);
  const values = { ...initialValues(fields), title: 'Status', regex_value: '(\\d+)', target_field: 'status' };
  const converters = [{ type: 'numeric', config: {} }];
  expect(requestOf(TYPE, changedValues(fields, values), { converters, order: 3 })).toEqual({
    title: 'Status',
    source_field: 'message',
    target_field: 'status',
    cut_or_copy: 'copy',
    condition_type: 'none',
    condition_value: '',
    extractor_type: 'regex',
    extractor_config: { regex_value: '(\\d+)' },
    converters,
    order: 3,
  });
});

test('what was typed is there again after another type was looked at', () => {
  const split = { ...TYPE, type: 'split_and_index', requested_configuration: {} };
  const typed = carriedOver(TYPE, undefined, { title: 'Status', regex_value: '(a)' });
  const renamed = carriedOver(split, typed, { title: 'Code' });
  expect(renamed).toEqual({ title: 'Code', regex_value: '(a)' });
  // What was emptied stays empty.
  expect(carriedOver(TYPE, renamed, { title: 'Code' })).toEqual({ title: 'Code' });
});

test('grok and json need no target field', () => {
  const target = fieldsOf({ ...TYPE, names_fields: true }).find(({ name }) => name === 'target_field');
  expect(target).toMatchObject({ isOptional: true });
});

test('a stored extractor fills the form', () => {
  const stored = storedValues({
    title: 'Status',
    source_field: 'line',
    target_field: 'status',
    cursor_strategy: 'cut',
    condition_type: 'none',
    condition_value: '',
    extractor_config: { regex_value: 'x' },
  });
  expect(stored).toMatchObject({ cut_or_copy: 'cut', regex_value: 'x', source_field: 'line' });
});
