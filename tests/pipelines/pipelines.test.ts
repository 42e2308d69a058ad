import { expect, test } from 'vitest';
import { eventually } from '../../packages/server/src/testing/eventually.ts';
import { askEngine } from '../support/engine-of-node.ts';
import { callApi, KNOWN_PASSWORD } from '../support/node-api.ts';
import { startNode } from '../support/node-process.ts';

const DEFAULT_STREAM = '000000000000000000000001';
const DEFAULT_INDEX_SET = '000000000000000000000001';
const PATIENCE = { timeoutMs: 240_000, intervalMs: 100 };

/** Rules as people paste them from Graylog's documentation. */
const RULES = {
  'parse the request': `rule "parse the request"
when
  has_field("message") && starts_with(to_string($message.message), "GET")
then
  let fields = grok(pattern: "%{WORD:method} %{URIPATH:path} %{NUMBER:code:int}", value: to_string($message.message), only_named_captures: true);
  set_fields(fields);
end`,
  'drop health checks': `rule "drop health checks"
when to_string($message.path) == "/health"
then drop_message();
end`,
  'move errors': `rule "move errors"
when to_long($message.code) >= 500
then
  route_to_stream(name: "Errors", remove_from_default: true);
end`,
  'move by names': `rule "move by names"
when to_string($message.path) == "/moved"
then
  route_to_stream(name: "Errors");
  remove_from_stream(name: "All messages");
end`,
  'keep a copy': `rule "keep a copy"
when to_string($message.path) == "/order" && !has_field("copied")
then
  let copy = clone_message();
  set_field(field: "copied", value: true, message: copy);
end`,
};
const PIPELINE = `pipeline "requests"
stage 0 match either
  rule "parse the request"
stage 1 match pass
  rule "drop health checks";
  rule "move errors"
  rule "move by names"
  rule "keep a copy"
end`;

test('rules and a pipeline made by the API change, route, drop and copy what is stored, also after a kill', async () => {
  const settings = { processing_workers: '1' };
  let node = startNode(settings, { env: KNOWN_PASSWORD });
  try {
    let address = await node.ready();
    let http = await node.inputPort('GELF HTTP');
    const api = async (path: string, body: unknown) => {
      const { status, body: answer } = await callApi(address, 'POST', path, body);
      expect(status, JSON.stringify(answer)).toBeLessThan(300);
      return answer;
    };
    const send = async (text: string) => {
      const body = JSON.stringify({ version: '1.1', host: 'mill', short_message: text });
      expect((await fetch(`http://127.0.0.1:${http}/gelf`, { method: 'POST', body })).status).toBe(202);
    };
    const stored = () =>
      askEngine<{ message: string; streams: string[]; fields: Record<string, unknown> }>(
        node.dataDir,
        `SELECT message, streams, fields FROM merge('millrace', '.*') ORDER BY received_at, id_offset, id_partition`,
      );

    const { stream_id: errors } = await api('/streams', {
      title: 'Errors',
      index_set_id: DEFAULT_INDEX_SET,
      rules: [{ type: 5, field: 'never_there', value: '', inverted: false }],
    });
    expect((await callApi(address, 'POST', `/streams/${errors}/resume`)).status).toBe(204);
    for (const source of Object.values(RULES)) await api('/system/pipelines/rule', { source });
    const { id } = await api('/system/pipelines/pipeline', { source: PIPELINE });
    await api('/system/pipelines/connections/to_stream', { stream_id: DEFAULT_STREAM, pipeline_ids: [id] });

    // With one worker, the first message that passed the pipeline proves that all later ones will.
    await eventually(async () => {
      await send('GET /ready 200');
      expect(await stored()).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ fields: expect.objectContaining({ path: '/ready' }) }),
        ]),
      );
    }, PATIENCE);
    await send('GET /health 200');
    await send('GET /fail 503');
    await send('GET /moved 200');
    await send('GET /order 200');

    // What was accepted is processed again after a kill, and stored once.
    node.kill();
    await node.exited();
    node = startNode(settings, { env: KNOWN_PASSWORD, dataDir: node.dataDir });
    address = await node.ready();
    http = await node.inputPort('GELF HTTP');
    await send('GET /last 200');
    const rows = await eventually(async () => {
      const all = await stored();
      expect(all.map(({ message }) => message)).toContain('GET /last 200');
      return all.filter(({ message }) => message !== 'GET /ready 200');
    }, PATIENCE);
    expect(
      rows.map(({ message, streams, fields }) => [message, streams, fields.code, fields.copied]),
    ).toEqual([
      ['GET /fail 503', [errors], 503, undefined],
      ['GET /moved 200', [errors], 200, undefined],
      ['GET /order 200', [DEFAULT_STREAM], 200, undefined],
      ['GET /order 200', [DEFAULT_STREAM], 200, true],
      ['GET /last 200', [DEFAULT_STREAM], 200, undefined],
    ]);
  } finally {
    node.kill();
    await node.exited();
  }
});
