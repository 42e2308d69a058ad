/**
 * One ClickHouse for all integration tests of a run: started when the first of them asks for it, stopped after the
 * last. A start takes a quarter of a minute under an emulator. To use a server of your own instead, name it in
 * `MILLRACE_TEST_CLICKHOUSE` (`http://user:password@host:port`). With `MILLRACE_TEST_SHARDS=2` there are two servers, and
 * the tests of searches spread their messages over them.
 */
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { errorMessage } from '#core/index.ts';
import { type StartedTestEngine, startTestEngine, startTestShards } from './engine.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where to ask for the address of the server. */
    sharedEngine: string;
  }
}

export interface SharedServer {
  readonly url: string;
  readonly username: string;
  readonly password: string;
  readonly nativePort?: number;
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let starting: Promise<readonly StartedTestEngine[]> | undefined;

  async function shared(): Promise<readonly SharedServer[]> {
    const own = process.env.MILLRACE_TEST_CLICKHOUSE;
    if (own !== undefined && own !== '') {
      const { origin, username, password } = new URL(own);
      return [
        { url: origin, username: decodeURIComponent(username), password: decodeURIComponent(password) },
      ];
    }
    const shards = Number(process.env.MILLRACE_TEST_SHARDS ?? 1);
    starting ??= shards > 1 ? startTestShards(shards) : startTestEngine().then((engine) => [engine]);
    const endpoints = (await starting).map(({ engine }) => engine.endpoint());
    return endpoints.map((endpoint) => ({ ...endpoint, password: endpoint.password.reveal() }));
  }

  const server = http.createServer((_request, response) => {
    shared().then(
      (found) => response.end(JSON.stringify(found)),
      (error: unknown) => response.writeHead(500).end(errorMessage(error)),
    );
  });
  server.requestTimeout = 0;
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  project.provide('sharedEngine', `http://127.0.0.1:${port}/`);
  return async () => {
    server.close();
    server.closeAllConnections();
    await Promise.all((await starting)?.map((engine) => engine.stop()) ?? []);
  };
}
