import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { testPlugin } from '@millrace/plugin-api/testing';
import plugin from './index.ts';

const tested = testPlugin(plugin, { 'http-lines': { url: 'https://logs.example.org/' } });

tested.outputSuite('http-lines', async () => {
  let received = '';
  const server = createServer(async (request, response) => {
    for await (const chunk of request) received += chunk;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const goAway = () => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  };
  return {
    configuration: { url: `http://127.0.0.1:${port}/` },
    received: () => received,
    goAway,
    close: goAway,
  };
});
