import { expect } from 'vitest';
import { until } from '../../packages/server/src/testing/eventually.ts';
import { type ApiAnswer, callApi, KNOWN_PASSWORD } from './node-api.ts';
import { type NodeProcess, startNode } from './node-process.ts';

/** A node as clients of Graylog see it: its API, and its GELF input over HTTP. */
export interface ClientNode {
  readonly address: string;
  readonly process: NodeProcess;
  call(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<ApiAnswer>;
  /** The body of an answer with this status. */
  ask(
    status: number,
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: unknown,
  ): Promise<ApiAnswer['body']>;
  /** Sends messages over HTTP: as they are, or as JSON with a text and a host unless they have their own. */
  send(...messages: (string | Readonly<Record<string, unknown>>)[]): Promise<void>;
  /** The messages that match a query, as soon as there are that many. */
  found(query: string, count: number): Promise<Record<string, unknown>[]>;
  /** The port of an input, as soon as it listens. */
  listeningPort(inputId: string): Promise<number>;
  stop(): Promise<void>;
}

export async function startClientNode(settings: Record<string, string> = {}): Promise<ClientNode> {
  const process = startNode(settings, { env: KNOWN_PASSWORD });
  const address = await process.ready();
  const port = await process.inputPort('GELF HTTP');
  const call: ClientNode['call'] = (method, path, body) => callApi(address, method, path, body);

  return {
    address,
    process,
    call,
    async ask(status, method, path, body) {
      const answer = await call(method, path, body);
      expect([`${method} ${path}`, answer.status, answer.status === status ? '' : answer.body]).toEqual([
        `${method} ${path}`,
        status,
        '',
      ]);
      return answer.body;
    },
    async send(...messages) {
      for (const message of messages) {
        const body =
          typeof message === 'string'
            ? message
            : JSON.stringify({ version: '1.1', host: 'client', short_message: 'text', ...message });
        const { status } = await fetch(`http://127.0.0.1:${port}/gelf`, { method: 'POST', body });
        expect([status, body]).toEqual([202, body]);
      }
    },
    async found(query, count) {
      const path = `/search/universal/relative?${new URLSearchParams({ query, range: '0', limit: '1000' })}`;
      let found: Record<string, unknown>[] = [];
      await until(async () => {
        const { body } = await call('GET', path);
        found = body.messages.map(({ message }: { message: Record<string, unknown> }) => message);
        return found.length >= count;
      });
      expect(found).toHaveLength(count);
      return found;
    },
    async listeningPort(inputId) {
      let port = 0;
      await until(async () => {
        const { body } = await call('GET', `/system/inputstates/${inputId}`);
        port = body.listening?.port ?? 0;
        return port !== 0;
      });
      return port;
    },
    async stop() {
      process.kill();
      await process.exited();
    },
  };
}
