import { expect, test } from 'vitest';
import { createFieldLayouts } from '#core/index.ts';
import { createGelfDecoder } from './decode.ts';

const SOURCE = { inputId: 'i1', remoteAddress: '192.0.2.1', remotePort: 5000 };
const RECEIVED_AT = Date.UTC(2026, 10, 16);
const gelf = (fields: object) => JSON.stringify({ version: '1.1', host: 'h', short_message: 'm', ...fields });

test('fields that are dropped for their names are told, with one of them as it was sent', () => {
  const told: unknown[] = [];
  const decoder = createGelfDecoder({
    layouts: createFieldLayouts(),
    fieldsDropped: (...field) => void told.push(field),
  });
  const sent = gelf({ '_@version': '1', '_a b': 1, _c: 2 });
  decoder.decode(Buffer.from(sent), SOURCE, RECEIVED_AT);
  // Only the exact reader can read it: told once all the same.
  decoder.decode(Buffer.from(`${sent.slice(0, -1)},"_n":12345678901234567890}`), SOURCE, RECEIVED_AT);
  decoder.decode(Buffer.from(gelf({ _c: 1 })), SOURCE, RECEIVED_AT);
  expect(told).toEqual([
    [SOURCE.inputId, '_@version', 2],
    [SOURCE.inputId, '_@version', 2],
  ]);
});
