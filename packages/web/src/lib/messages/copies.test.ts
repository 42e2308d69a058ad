import { expect, test } from 'vitest';
import { parseJson } from '../exact-json.ts';
import { COPY_FORMATS } from './copies.ts';
import { fromFields } from './log-message.ts';
import { scalarsOf } from './message-text.ts';

const FIELDS = `{ "_id": "1", "timestamp": "2026-11-19T12:00:00.000Z", "source": "web-1", "message": "paid",
  "order": 9223372036854775807, "gl2_source_input": "input" }`;

test('copies have all digits of a whole number', () => {
  const message = fromFields(parseJson(FIELDS) as Record<string, unknown>);
  expect(COPY_FORMATS.JSON(message)).toContain('"order": 9223372036854775807,');
  expect(COPY_FORMATS.GELF(message)).toContain('"_order": 9223372036854775807\n');
  expect(COPY_FORMATS.text(message)).toContain('order: 9223372036854775807\n');
  expect(scalarsOf(message.fields.order)).toEqual([9223372036854775807n]);
});
