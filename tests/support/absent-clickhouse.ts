import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A ClickHouse that answers the start-up probe and refuses everything else as unavailable: a node starts quickly with it
 * and never has storage.
 */
export interface AbsentClickHouse {
  readonly uri: string;
  stop(): Promise<void>;
}

export async function startAbsentClickHouse(): Promise<AbsentClickHouse> {
  const server = http.createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    if (body.startsWith('SELECT 1')) response.end('{"meta":[],"data":[{"1":1}],"rows":1}');
    else response.writeHead(503, { 'retry-after': '1' }).end('away');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    uri: `http://default:@127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
