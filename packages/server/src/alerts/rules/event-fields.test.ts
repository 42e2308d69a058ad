import { expect, test } from 'vitest';
import { InvalidError } from '#core/index.ts';
import { aggregationSource, checkEventFields, eventFieldsOf } from './event-fields.ts';

const provided = (template: string, more: object = {}) => ({
  data_type: 'string',
  providers: [{ type: 'template-v1', template, ...more }],
});

test('fields are templates over what was found, and some of them are the key', () => {
  const compute = eventFieldsOf({
    field_spec: {
      host: provided('${source.source}'),
      what: provided('${source.user(nobody)} at ${source.http_path}'),
      missing: provided('${source.nothing}'),
      needed: provided('${source.nothing}', { require_values: true }),
    },
    key_spec: ['what', 'host'],
  });
  expect(compute({ source: 'web-1', http_path: '/cart' })).toEqual({
    fields: { host: 'web-1', what: 'nobody at /cart', missing: '' },
    key: ['nobody at /cart', 'web-1'],
  });
  expect(eventFieldsOf({})({ source: 'web-1' })).toEqual({ fields: {}, key: undefined });
});

test('an aggregation gives the fields it groups by and its values', () => {
  const source = aggregationSource(['source'], {
    key: ['web-1'],
    values: { 'count()': 3, 'avg(took_ms)': 2.5 },
  });
  expect(source).toEqual({ source: 'web-1', aggregation_value_count: 3, aggregation_value_avg_took_ms: 2.5 });
});

test.each([
  [{ field_spec: { 'a b': provided('x') } }, 'field_spec.a b'],
  [{ field_spec: { a: {} } }, 'field_spec.a'],
  [{ field_spec: { a: { providers: [{ type: 'lookup-v1' }] } } }, 'field_spec.a'],
  [{ field_spec: { a: provided('${if x') } }, 'field_spec.a'],
  [{ field_spec: { a: provided('x') }, key_spec: ['b'] }, 'key_spec'],
])('what cannot be computed is refused with its place: %j', (extras, path) => {
  const check = () => checkEventFields({ key_spec: [], ...extras });
  expect(check).toThrow(InvalidError);
  expect(check).toThrow(expect.objectContaining({ problems: [expect.objectContaining({ path })] }));
});
