import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { gelf, openStream } from '#testing/gelf-senders.ts';
import { createIntakeFixture, type IntakeFixture, TEST_INPUT_ID } from '#testing/intake-fixture.ts';

/** Requests that Node's server would refuse before anything of ours sees them. */

const COMPONENT = `millrace.component.input.gelf-http.${TEST_INPUT_ID}`;
let fixture: IntakeFixture;

beforeEach(async () => {
  fixture = await createIntakeFixture();
});

afterEach(async () => {
  await fixture.close();
});

test.each([
  ['without Host', '', '400 Bad Request', 'The header Host is missing; HTTP/1.1 requires it.'],
  [
    'with an unknown expectation',
    'Host: x\r\nExpect: bogus\r\n',
    '417 Expectation Failed',
    'The header Expect can only be 100-continue.',
  ],
])('a message %s is refused with a reason and counted', async (_what, headers, status, message) => {
  const { port } = await fixture.start('gelf-http');
  const body = gelf('lost');
  const send = async (start: string) => {
    const socket = await openStream(port);
    socket.write(`${start}${headers}Content-Length: ${body.length}\r\n\r\n${body}`);
    socket.end();
    return text(socket);
  };
  const answer = await send('POST /gelf HTTP/1.1\r\n');
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status}\r\n`));
  expect(answer).toContain(JSON.stringify({ type: 'ApiError', message }));
  expect(fixture.count(`${COMPONENT}.dropped.invalid_request.events`)).toBe(1);
  expect(await send('POST /gelf HTTP/1.0\r\n')).toMatch(/^HTTP\/1\.1 202 /);
  expect(await send('GET /gelf HTTP/1.1\r\n')).toContain(message);
  expect(fixture.count(`${COMPONENT}.dropped.invalid_request.events`)).toBe(1);
  expect(fixture.count(`${COMPONENT}.errors.unreadable_request.connection`)).toBe(1);
});
