import { expect, test } from 'vitest';
import { aMessage } from '#testing/message-fixture.ts';
import { createSyslogEncoder, type SyslogEncodeOptions } from './encode.ts';

function encode(fields: Parameters<typeof aMessage>[0], options: Partial<SyslogEncodeOptions> = {}): string {
  const message = aMessage(fields);
  message.id = 'ID';
  const all = { facility: 1, appName: 'millrace', structuredDataId: undefined, ...options };
  return createSyslogEncoder(all).encode(message).toString();
}

test('header and text', () => {
  expect(encode({ message: 'grinding ä\nmore', level: 3, source: 'mill' })).toBe(
    '<11>1 2026-01-01T00:00:00.000Z mill millrace - - - grinding ä\nmore',
  );
});

test('facility, application and process come from the message where it has them', () => {
  const fields = { facility: 'local7', application_name: 'grinder two', process_id: 42 };
  expect(encode({ ...fields, level: 0, message: 'x' }, { structuredDataId: 'm@1' })).toBe(
    '<184>1 2026-01-01T00:00:00.000Z web-1 grinder_two 42 - [m@1 id="ID"] x',
  );
  expect(encode({ facility: 4, message: 'x' })).toMatch(/^<38>1 /);
  expect(encode({ facility: 'unknown', message: 'x' })).toMatch(/^<14>1 /);
});

test('levels that syslog does not have are debug', () => {
  expect(encode({ level: 8 })).toMatch(/^<15>1 /);
  expect(encode({ level: 2_000_000_000 })).toMatch(/^<15>1 /);
});

test('fields are structured data, escaped, with names that the format allows', () => {
  const text = encode(
    {
      message: 'x',
      quote: 'a "b" \\ ] c',
      'näme="]': 1,
      a_name_that_is_much_longer_than_thirty_two: true,
      full_message: 'all of it',
    },
    { structuredDataId: 'millrace@32473' },
  );
  expect(text).toBe(
    '<14>1 2026-01-01T00:00:00.000Z web-1 millrace - - [millrace@32473 id="ID" full_message="all of it" ' +
      'quote="a \\"b\\" \\\\ \\] c" n_me___="1" a_name_that_is_much_longer_than_="true"] x',
  );
});

test('an empty source is the nil value', () => {
  expect(encode({ source: '' })).toContain('Z - millrace ');
});
