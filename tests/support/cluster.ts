import { afterAll, beforeAll } from 'vitest';
import {
  type StartedTestEngine,
  startTestEngine,
  type TestEngineOptions,
} from '../../packages/server/src/testing/engine.ts';
import { startTestPostgres, type TestPostgres } from '../../packages/server/src/testing/postgres.ts';
import { callApi, KNOWN_PASSWORD } from './node-api.ts';
import { type NodeProcess, startNode } from './node-process.ts';

/** Nodes that share a PostgreSQL and a ClickHouse. Everything is gone when the tests of the file are over. */
export interface TestCluster {
  /** Starts a node that belongs to the cluster with this database. */
  start(
    database: string,
    settings?: Record<string, string>,
    options?: { dataDir?: string; command?: string },
  ): NodeProcess;
  /** What a node of the cluster needs in its environment. */
  environment(): Record<string, string>;
  createDatabase(): Promise<string>;
  readonly storage: StartedTestEngine;
}

export function useCluster(engine: TestEngineOptions = {}): TestCluster {
  const running: NodeProcess[] = [];
  let postgres: TestPostgres | undefined;
  let storage: StartedTestEngine | undefined;

  beforeAll(async () => {
    [postgres, storage] = await Promise.all([startTestPostgres(), startTestEngine(engine)]);
  });
  afterAll(async () => {
    // One that was stopped by a signal ends by this one all the same.
    for (const node of running) node.kill('SIGKILL');
    await Promise.all(running.map((node) => node.exited()));
    await storage?.stop();
    await postgres?.stop();
  });

  function started<T>(part: T | undefined): T {
    if (part === undefined) throw new Error('the cluster has not been started yet');
    return part;
  }

  function environment(): Record<string, string> {
    const { url, username, password } = started(storage).engine.endpoint();
    const uri = new URL(url);
    uri.username = username;
    uri.password = encodeURIComponent(password.reveal());
    return {
      ...KNOWN_PASSWORD,
      MILLRACE_CLICKHOUSE_URI: uri.href.replace(/\/$/, ''),
      MILLRACE_PASSWORD_SECRET: 'the same secret on all nodes',
    };
  }

  return {
    environment,
    createDatabase: () => started(postgres).createDatabase(),
    get storage() {
      return started(storage);
    },
    start(database, settings = {}, options = {}) {
      const node = startNode(
        { metadata_uri: database, processing_workers: '1', ...settings },
        { env: environment(), ...options },
      );
      running.push(node);
      return node;
    },
  };
}

/** Calls the API; throws with the answer if it is not a success. */
export async function call(address: string, method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown) {
  const answer = await callApi(address, method, path, body);
  if (answer.status < 300) return answer.body;
  throw new Error(`${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
}
