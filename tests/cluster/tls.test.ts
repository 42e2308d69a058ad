/**
 * A ClickHouse that is one HTTPS address with user and password, as cloud services offer it, and nodes that serve HTTPS and
 * call each other over it. All certificates come from an authority that only `NODE_EXTRA_CA_CERTS` makes known.
 */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import tls from 'node:tls';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../packages/server/src/testing/eventually.ts';
import { whyNoPostgres } from '../../packages/server/src/testing/postgres.ts';
import { call, useCluster } from '../support/cluster.ts';
import { type NodeProcess, startNode, temporaryDirectory } from '../support/node-process.ts';

const PATIENCE = { timeoutMs: 240_000, intervalMs: 100 };
const MESSAGES = 20;

interface Certificates {
  readonly authority: string;
  readonly certificate: string;
  readonly key: string;
}

/** Files in PEM, of an authority and of a server on this machine. */
function makeCertificates(): Certificates {
  const folder = temporaryDirectory('millrace-tls-');
  const file = (name: string) => path.join(folder, name);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe' });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const authority = ['-keyout', file('ca.key'), '-out', file('ca.pem'), '-subj', '/CN=Test authority'];
  openssl('req', '-x509', ...newKey, ...authority, '-days', '2');
  openssl('req', ...newKey, '-keyout', file('key.pem'), '-out', file('csr'), '-subj', '/CN=localhost');
  fs.writeFileSync(file('names'), 'subjectAltName=DNS:localhost,IP:127.0.0.1');
  const signing = ['-CA', file('ca.pem'), '-CAkey', file('ca.key'), '-CAcreateserial', '-days', '2'];
  openssl(
    'x509',
    '-req',
    '-in',
    file('csr'),
    ...signing,
    '-extfile',
    file('names'),
    '-out',
    file('cert.pem'),
  );
  return { authority: file('ca.pem'), certificate: file('cert.pem'), key: file('key.pem') };
}

/** Passes on what comes over TLS to a port of this machine. */
async function startTlsProxy({ certificate, key }: Certificates, target: number) {
  const names: (string | false | null)[] = [];
  const sockets = new Set<net.Socket>();
  const server = tls.createServer(
    { cert: fs.readFileSync(certificate), key: fs.readFileSync(key) },
    (client) => {
      names.push(client.servername);
      const upstream = net.connect(target, '127.0.0.1');
      for (const [socket, other] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        sockets.add(socket);
        socket.on('error', () => {});
        socket.on('close', () => {
          sockets.delete(socket);
          other.destroy();
        });
        socket.pipe(other);
      }
    },
  );
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    /** The host names that clients asked for. */
    names,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

describe.skipIf(whyNoPostgres() !== undefined)('HTTPS between all parts', () => {
  const cluster = useCluster();
  let certificates: Certificates;

  beforeAll(() => {
    certificates = makeCertificates();
    const authority = fs.readFileSync(certificates.authority, 'utf8');
    tls.setDefaultCACertificates([...tls.getCACertificates(), authority]);
  });

  function environment(proxyPort: number): Record<string, string> {
    const { username, password } = cluster.storage.engine.endpoint();
    const login = `${username}:${encodeURIComponent(password.reveal())}`;
    return {
      ...cluster.environment(),
      MILLRACE_CLICKHOUSE_URI: `https://${login}@localhost:${proxyPort}`,
    };
  }

  function start(database: string, env: Record<string, string>): NodeProcess {
    const settings = {
      metadata_uri: database,
      processing_workers: '1',
      http_enable_tls: 'true',
      http_tls_cert_file: certificates.certificate,
      http_tls_key_file: certificates.key,
    };
    const node = startNode(settings, { env });
    onTestFinished(async () => {
      node.kill('SIGKILL');
      await node.exited();
    });
    return node;
  }

  async function send(node: NodeProcess, count: number): Promise<void> {
    const port = await node.inputPort('GELF HTTP');
    for (let number = 0; number < count; number++) {
      const body = JSON.stringify({ version: '1.1', host: 'tls', short_message: `sealed ${number}` });
      expect((await fetch(`http://127.0.0.1:${port}/gelf`, { method: 'POST', body })).status).toBe(202);
    }
  }

  const found = async (address: string): Promise<number> =>
    (await call(address, 'GET', '/search/universal/relative?query=sealed&range=0')).total_results;

  test('messages are stored, found and rotated; nodes call each other', async () => {
    const port = Number(new URL(cluster.storage.engine.endpoint().url).port);
    const proxy = await startTlsProxy(certificates, port);
    onTestFinished(() => proxy.close());
    const database = await cluster.createDatabase();
    const env = { ...environment(proxy.port), NODE_EXTRA_CA_CERTS: certificates.authority };
    const first = start(database, env);
    await first.ready();
    const nodes = [first, start(database, env)];
    const addresses = await Promise.all(nodes.map((node) => node.ready()));
    for (const address of addresses) expect(address).toMatch(/^https:/);
    await Promise.all(nodes.map((node) => send(node, MESSAGES)));
    for (const address of addresses) {
      await eventually(async () => expect(await found(address)).toBe(2 * MESSAGES), PATIENCE);
    }

    const ids = await Promise.all(
      addresses.map(
        async (address) => (await call(address, 'GET', '/system/cluster/node')).node_id as string,
      ),
    );
    for (const address of addresses) {
      await eventually(async () => {
        const listed = await call(address, 'GET', '/cluster');
        expect(Object.keys(listed).toSorted()).toEqual(ids.toSorted());
        expect(Object.values(listed)).not.toContain(null);
      }, PATIENCE);
      // Asked of this node, answered by each of both.
      for (const id of ids) {
        const journal = await call(address, 'GET', `/cluster/${id}/journal`);
        expect(journal).toMatchObject({ enabled: true });
      }
    }

    const [address = ''] = addresses;
    await call(address, 'POST', '/system/deflector/cycle');
    await Promise.all(nodes.map((node) => send(node, MESSAGES)));
    await eventually(async () => expect(await found(address)).toBe(4 * MESSAGES), PATIENCE);
    const counts = await cluster.storage.clickhouse.query<{ number: number; messages: string }>(
      "SELECT index_number AS number, count() AS messages FROM merge('millrace', '^millrace') WHERE source = 'tls' GROUP BY number ORDER BY number",
    );
    expect(counts.length).toBeGreaterThanOrEqual(2);
    // By name, as an address that stands for many servers needs it.
    expect(new Set(proxy.names)).toEqual(new Set(['localhost']));
  });

  test('a certificate of an unknown authority is refused, and the log says so', async () => {
    const port = Number(new URL(cluster.storage.engine.endpoint().url).port);
    const proxy = await startTlsProxy(certificates, port);
    onTestFinished(() => proxy.close());
    const node = start(await cluster.createDatabase(), environment(proxy.port));
    await node.printed(/certificate/i);
  });
});
