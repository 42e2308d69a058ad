import { expect, test } from 'vitest';
import { createInputsFixture } from '#testing/inputs-fixture.ts';
import { createWorkerPoolFixture, readJournal, temporaryJournal } from '#testing/worker-pool-fixture.ts';

const INPUTS = [
  { type: 'gelf-udp', configuration: {} },
  { type: 'gelf-udp', configuration: { bind_address: '0.0.0.0' } },
  { type: 'gelf-tcp', configuration: {} },
  { type: 'gelf-tcp', configuration: { use_null_delimiter: false, tls_enable: true } },
  { type: 'gelf-http', configuration: { tls_enable: true } },
  {
    type: 'gelf-http',
    configuration: {
      authorization_header_name: 'Authorization',
      authorization_header_value: 'Bearer 3f2b8c1e',
    },
  },
];

test('a test message goes through the socket of the input into the journal', async () => {
  const journal = await temporaryJournal();
  const pool = createWorkerPoolFixture({ journalDirectory: journal.directory });
  await pool.workers.start();
  const fixture = await createInputsFixture({
    workers: pool.workers,
    users: { admin: ['*'], reader: ['inputs:read'] },
  });
  const create = async ({ type, configuration }: { type: string; configuration: object }) => {
    const body = {
      title: `My ${type}`,
      type,
      global: true,
      configuration: { bind_address: '127.0.0.1', port: 0, ...configuration },
    };
    return (await fixture.call('POST', '/system/inputs', body)).body.id as string;
  };
  const send = (id: string, as = 'admin') =>
    fixture.call('POST', `/system/inputs/${id}/test_message`, undefined, as);

  const sent: (readonly [id: string, wanted: string])[] = [];
  for (const input of INPUTS) {
    const id = await create(input);
    const { status, body } = await send(id);
    expect([input.type, status, body]).toEqual([
      input.type,
      202,
      { query: expect.stringMatching(/^test_message_id:"[0-9a-f]{24}"$/) },
    ]);
    sent.push([id, `"_${body.query.replace(':', '":')}`]);
  }
  const [first = ''] = sent[0] ?? [];
  expect((await send(first, 'reader')).status).toBe(403);
  expect((await send('cccccccccccccccccccccccc')).status).toBe(404);
  expect(fixture.audited.filter(({ action }) => action === 'input.test_message')).toHaveLength(INPUTS.length);

  // What cannot work says why.
  await fixture.call('DELETE', `/system/inputstates/${first}`);
  const stopped = await send(first);
  expect([stopped.status, stopped.body.message]).toEqual([409, expect.stringContaining('is not running')]);

  await fixture.close();
  await pool.workers.stop();
  const frames = await readJournal(journal.directory);
  const arrived = sent.filter(([id, wanted]) =>
    frames.some(({ inputId, text }) => inputId === id && text.includes(wanted)),
  );
  expect(arrived).toEqual(sent);
  await journal.remove();
});
