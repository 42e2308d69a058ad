import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface ReceivedCall {
  readonly method: string;
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

/** A server on this machine that keeps what it is sent. */
export interface HttpReceiver {
  /** `http://127.0.0.1:<port>/` */
  readonly url: string;
  readonly port: number;
  readonly calls: ReceivedCall[];
  /** What it answers from now on; 200 at first. */
  answer(status: number, headers?: Record<string, string>, body?: string): void;
  /** From now on it takes requests and says nothing. */
  hang(): void;
}

export async function startHttpReceiver(): Promise<HttpReceiver> {
  const calls: ReceivedCall[] = [];
  let respond = (response: http.ServerResponse): void => void response.writeHead(200).end('ok');
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    calls.push({
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks).toString('utf8'),
    });
    respond(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    port,
    calls,
    answer(status, headers = {}, body = '') {
      respond = (response) => void response.writeHead(status, headers).end(body);
    },
    hang() {
      respond = () => {};
    },
  };
}
