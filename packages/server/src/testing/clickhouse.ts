import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, inject } from 'vitest';
import { Secret } from '#core/index.ts';
import { type ClickHouse, type ClickHouseEndpoint, createClickHouse } from '#storage/index.ts';
import type { SharedServer } from './shared-engine.ts';

/** The ClickHouse that all integration tests share, with a database of its own for each test file. */
export interface TestClickHouse {
  readonly clickhouse: ClickHouse;
  /** Where the statements of `clickhouse` that name none work. */
  readonly database: string;
  readonly endpoint: ClickHouseEndpoint;
  /** More than one only if the run asks for shards. */
  readonly endpoints: readonly ClickHouseEndpoint[];
}

/** Under an emulator, on a busy machine, a start can take this long. */
const START_TIMEOUT_MS = 180_000;

/** For tests that do not kill the server; others take `useTestEngine`. Only in `*.int.test.ts`. */
export function useTestClickHouse(): () => TestClickHouse {
  let opened: TestClickHouse | undefined;
  beforeAll(async () => {
    const answer = await fetch(inject('sharedEngine'));
    if (!answer.ok) throw new Error(`there is no ClickHouse: ${await answer.text()}`);
    const servers = (await answer.json()) as readonly SharedServer[];
    const endpoints = servers.map((server) => ({ ...server, password: new Secret(server.password) }));
    const [endpoint] = endpoints;
    if (endpoint === undefined) throw new Error('there is no ClickHouse');
    const database = `test_${randomUUID().replaceAll('-', '')}`;
    const setup = createClickHouse(endpoints);
    await setup.commandOnEach(`CREATE DATABASE ${database}`);
    await setup.close();
    opened = { clickhouse: createClickHouse(endpoints, { database }), database, endpoint, endpoints };
  }, START_TIMEOUT_MS);
  afterAll(async () => {
    if (opened === undefined) return;
    await opened.clickhouse.close();
    // Whoever works in a database cannot ask for anything after it was dropped.
    const cleanup = createClickHouse(opened.endpoints);
    await cleanup.commandOnEach(`DROP DATABASE ${opened.database} SYNC`);
    await cleanup.close();
  });
  return () => {
    if (opened === undefined) throw new Error('ClickHouse is there only while tests run');
    return opened;
  };
}
