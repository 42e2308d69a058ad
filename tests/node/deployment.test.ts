/** The files in `deploy/` name metrics and settings of the program; here both are compared with the program itself. */
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../packages/server/src/testing/eventually.ts';
import { SERVER_ENVIRONMENT, SERVER_FLAGS } from '../../scripts/server-environment.mjs';
import { type AbsentClickHouse, startAbsentClickHouse } from '../support/absent-clickhouse.ts';
import { KNOWN_PASSWORD, rootCredentials } from '../support/node-api.ts';
import { type NodeProcess, startNode } from '../support/node-process.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const textOf = (file: string) => fs.readFileSync(path.join(ROOT, file), 'utf8');

let clickhouse: AbsentClickHouse;
let node: NodeProcess;
let address: string;

beforeAll(async () => {
  clickhouse = await startAbsentClickHouse();
  node = startNode({ clickhouse_uri: clickhouse.uri }, { env: KNOWN_PASSWORD });
  address = await node.ready();
});
afterAll(async () => {
  node.kill('SIGKILL');
  await node.exited();
  await clickhouse.stop();
});

async function metricNames(): Promise<Set<string | undefined>> {
  const answer = await fetch(`${address}/api/metrics`, { headers: { authorization: rootCredentials() } });
  return new Set([...(await answer.text()).matchAll(/^(\w+)(?:\{| )/gm)].map(([, name]) => name));
}

test.each(['deploy/prometheus/alerts.yml', 'deploy/grafana/millrace.json'])(
  'every metric in %s is one that a node has',
  async (file) => {
    const named = new Set(textOf(file).match(/\bmillrace_[a-z0-9_]+/g));
    expect(named.size).toBeGreaterThan(5);
    // Those of the workers come a little later than the node is ready.
    await eventually(async () => {
      const known = await metricNames();
      expect([...named].filter((name) => !known.has(name))).toEqual([]);
    });
  },
);

test.each([
  'deploy/docker/Dockerfile',
  'deploy/docker/compose.yaml',
  'deploy/helm/millrace/templates/statefulset.yaml',
])('every setting in %s exists', (file) => {
  const named = new Set([...textOf(file).matchAll(/\bMILLRACE_([A-Z0-9_]+)/g)].map(([, key]) => key));
  const settings = textOf('docs/configuration.md');
  const isUnknown = (key = '') => !settings.includes(`| \`${key.toLowerCase()}\` |`);
  expect(named.size).toBeGreaterThan(0);
  expect([...named].filter(isUnknown)).toEqual([]);
});

test.each(['deploy/docker/Dockerfile', 'deploy/systemd/millrace.service'])(
  'the environment of the program in %s is that of npm start',
  (file) => {
    const named = textOf(file).match(/\bMALLOC_\w+=\w+/g) ?? [];
    expect(named).toEqual(Object.entries(SERVER_ENVIRONMENT).map(([name, value]) => `${name}=${value}`));
    expect(textOf(file).match(/--max-semi-[a-z-]+=\d+/g)).toEqual(SERVER_FLAGS);
  },
);
