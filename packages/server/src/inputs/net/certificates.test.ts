import { execFileSync } from 'node:child_process';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connect, createServer } from 'node:tls';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '#testing/manual-clock.ts';
import { createCertificateStore } from './certificate-store.ts';
import { createSelfSignedCertificate } from './self-signed.ts';
import { followRenewals, tlsServerOptions } from './tls.ts';

const NOW = Date.UTC(2026, 5, 1);
const DAY = 86_400_000;

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'millrace-certificates-'));
});

afterEach(async () => {
  await rm(directory, { recursive: true, force: true });
});

describe('createSelfSignedCertificate', () => {
  const options = {
    commonName: 'logs.example.org',
    alternativeNames: ['localhost', '10.1.2.3'],
    nowMs: NOW,
    days: 30,
  };

  it('makes a certificate that Node reads and that its key signed', () => {
    const { certificate, key } = createSelfSignedCertificate(options);
    const parsed = new X509Certificate(certificate);
    expect(parsed.subject).toBe('CN=logs.example.org');
    expect(parsed.verify(parsed.publicKey)).toBe(true);
    expect(parsed.checkPrivateKey(createPrivateKey(key))).toBe(true);
    expect(parsed.checkHost('logs.example.org')).toBe('logs.example.org');
    expect(parsed.checkHost('localhost')).toBe('localhost');
    expect(parsed.checkIP('10.1.2.3')).toBe('10.1.2.3');
    expect(parsed.checkHost('other.example.org')).toBeUndefined();
    expect(parsed.ca).toBe(false);
    expect(parsed.validFromDate.getTime()).toBe(NOW - DAY);
    expect(parsed.validToDate.getTime()).toBe(NOW + 30 * DAY);
  });

  it('writes dates after 2049 in the other form, and every serial number is another', () => {
    const late = createSelfSignedCertificate({ ...options, days: 20_000 });
    expect(new X509Certificate(late.certificate).validToDate.getTime()).toBe(NOW + 20_000 * DAY);
    const serials = Array.from(
      { length: 20 },
      () => new X509Certificate(createSelfSignedCertificate(options).certificate).serialNumber,
    );
    expect(new Set(serials).size).toBe(20);
  });

  it('is understood by OpenSSL to the last byte', async () => {
    const file = path.join(directory, 'certificate.pem');
    await writeFile(file, createSelfSignedCertificate(options).certificate);
    const text = execFileSync('openssl', ['x509', '-in', file, '-noout', '-text'], { encoding: 'utf8' });
    expect(text).toContain('Signature Algorithm: ecdsa-with-SHA256');
    expect(text).toContain('DNS:logs.example.org, DNS:localhost, IP Address:10.1.2.3');
    expect(text).toContain('TLS Web Server Authentication');
    const strict = [
      'verify',
      '-x509_strict',
      '-partial_chain',
      '-attime',
      String(NOW / 1000),
      '-CAfile',
      file,
      file,
    ];
    expect(execFileSync('openssl', strict, { encoding: 'utf8' })).toContain('OK');
  });
});

describe('createCertificateStore', () => {
  const clock = new ManualClock(NOW);
  const store = () => createCertificateStore({ clock }, { directory: path.join(directory, 'inputs') });

  it('returns the same certificate to all callers, also to concurrent ones, and keeps it', async () => {
    const pairs = await Promise.all(Array.from({ length: 10 }, () => store()()));
    pairs.push(await store()());
    expect(new Set(pairs.map(({ certificate }) => certificate)).size).toBe(1);
    const { certificate, key } = pairs[0]!;
    expect(new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key))).toBe(true);
    expect(await readdir(path.join(directory, 'inputs'))).toEqual(['self-signed.pem']);
  });

  it('lets nobody else read the key', async () => {
    await store()();
    expect((await stat(path.join(directory, 'inputs', 'self-signed.pem'))).mode & 0o777).toBe(0o600);
    expect((await stat(path.join(directory, 'inputs'))).mode & 0o777).toBe(0o700);
  });

  it('replaces a damaged file and a certificate that is about to expire', async () => {
    const file = path.join(directory, 'inputs', 'self-signed.pem');
    const first = await store()();
    await writeFile(file, (await readFile(file, 'utf8')).slice(0, 100));
    const second = await store()();
    expect(second.certificate).not.toBe(first.certificate);
    const later = new ManualClock(NOW + 3640 * DAY);
    const third = await createCertificateStore(
      { clock: later },
      { directory: path.join(directory, 'inputs') },
    )();
    expect(third.certificate).not.toBe(second.certificate);
    expect(await readFile(file, 'utf8')).toBe(third.certificate + third.key);
  });
});

describe('followRenewals', () => {
  it('presents renewed files to new clients, and keeps the old ones when the new ones are no good', async () => {
    const files = { cert: path.join(directory, 'cert.pem'), key: path.join(directory, 'key.pem') };
    const renew = async (commonName: string, mtime: number) => {
      const pair = createSelfSignedCertificate({ commonName, alternativeNames: [], nowMs: NOW, days: 30 });
      await writeFile(files.cert, pair.certificate);
      await writeFile(files.key, pair.key);
      await utimes(files.cert, mtime, mtime);
    };
    const config = {
      tls_enable: true,
      tls_cert_file: files.cert,
      tls_key_file: files.key,
      tls_key_password: undefined,
      tls_client_auth: 'disabled',
      tls_client_auth_cert_file: undefined,
    } as const;
    const lines: string[] = [];
    const listeners = new Set<() => void>();
    const logger = pino({
      hooks: {
        logMethod([message]) {
          lines.push(String(message));
          for (const listener of listeners) listener();
        },
      },
    });
    const logged = (text: string) =>
      new Promise<void>((resolve) => listeners.add(() => lines.at(-1)?.includes(text) && resolve()));
    const context = { selfSignedCertificate: () => Promise.reject(new Error('not needed')), logger };
    await renew('first', 1000);
    const server = createServer({ ...(await tlsServerOptions(context, config)) }, (socket) =>
      socket.resume(),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const nameNow = async (): Promise<string | string[] | undefined> => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
      await once(socket, 'secureConnect');
      const { CN } = socket.getPeerCertificate().subject;
      socket.destroy();
      return CN;
    };
    const stop = followRenewals(context, config, server, 10);
    expect(await nameNow()).toBe('first');
    const takenOver = logged('took over the renewed certificate');
    await renew('second', 2000);
    await takenOver;
    expect(await nameNow()).toBe('second');
    const refused = logged('are not used');
    await writeFile(files.cert, 'no certificate');
    await refused;
    expect(await nameNow()).toBe('second');
    stop();
    server.close();
  });
});
