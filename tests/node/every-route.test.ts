import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OpenApiDocument } from '../../packages/server/src/api/index.ts';
import { type FuzzAnswer, type FuzzRequest, fuzzApi } from '../../packages/server/src/testing/api-fuzz.ts';
import { type AbsentClickHouse, startAbsentClickHouse } from '../support/absent-clickhouse.ts';
import { KNOWN_PASSWORD, rootCredentials } from '../support/node-api.ts';
import { type NodeProcess, startNode } from '../support/node-process.ts';

/**
 * Sends requests to every route that the program's own OpenAPI document lists, so no route can be forgotten. ClickHouse
 * is unavailable, which saves its start; what routes do with results is tested beside them.
 */
let clickhouse: AbsentClickHouse;
let node: NodeProcess;
let address: string;

beforeAll(async () => {
  clickhouse = await startAbsentClickHouse();
  node = startNode({ clickhouse_uri: clickhouse.uri, default_inputs: 'false' }, { env: KNOWN_PASSWORD });
  address = await node.ready();
});
afterAll(async () => {
  node.kill('SIGKILL');
  await node.exited();
  await clickhouse.stop();
});

/** Not called: they end the node, stop it from answering, or answer with a status that is a fault elsewhere. */
const LEFT_ALONE = ['/system/shutdown/shutdown', '/cluster/{nodeId}/shutdown', '/system/lbstatus'];

async function send({ method, url, headers, payload }: FuzzRequest): Promise<FuzzAnswer> {
  const response = await fetch(`${address}${url}`, {
    method,
    headers,
    ...(payload === undefined ? {} : { body: payload }),
    redirect: 'manual',
  });
  // A stream of events has no end.
  const isEndless = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  if (isEndless) await response.body?.cancel();
  return {
    statusCode: response.status,
    headers: Object.fromEntries(response.headers),
    body: isEndless ? '' : await response.text(),
  };
}

test('any request to any route is answered without a fault', async () => {
  const credentials = { authorization: rootCredentials() };
  const document = (await (
    await fetch(`${address}/api/openapi.json`, { headers: credentials })
  ).json()) as OpenApiDocument;
  const report = await fuzzApi(document, {
    send,
    credentials,
    runsPerOperation: 5,
    skip: (_method, path) => LEFT_ALONE.includes(path),
  });
  const operations = Object.values(document.paths).flatMap((methods) => Object.keys(methods));
  expect(report.operations).toBeGreaterThan(operations.length - 2 * LEFT_ALONE.length);
  expect(report.statuses[200]).toBeGreaterThan(100);
  expect(node.child.exitCode).toBeNull();
});
