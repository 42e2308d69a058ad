import { randomUUID, X509Certificate } from 'node:crypto';
import { link, mkdir, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { type Clock, errorCode } from '#core/index.ts';
import type { CertificatePair } from '../input.ts';
import { createSelfSignedCertificate } from './self-signed.ts';

const FILE = 'self-signed.pem';
const VALID_DAYS = 3650;
const RENEW_BEFORE_MS = 30 * 86_400_000;

/**
 * The node's self-signed certificate for inputs with TLS and no certificate of their own. It is created when
 * first needed and kept, with its key, in one file of mode 0600, so that clients can pin it. All workers may ask
 * at the same time: the first one creates it, the others get the same.
 */
export function createCertificateStore(
  deps: { readonly clock: Clock },
  config: { readonly directory: string },
): () => Promise<CertificatePair> {
  const file = path.join(config.directory, FILE);

  async function load(): Promise<CertificatePair | undefined> {
    let text: string;
    try {
      text = await readFile(file, 'utf8');
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return undefined;
      throw error;
    }
    return pairOf(text, deps.clock.now());
  }

  async function create(): Promise<CertificatePair> {
    const pair = createSelfSignedCertificate({
      commonName: hostname() || 'localhost',
      alternativeNames: ['localhost', '127.0.0.1'],
      nowMs: deps.clock.now(),
      days: VALID_DAYS,
    });
    await mkdir(config.directory, { recursive: true, mode: 0o700 });
    const temporary = path.join(config.directory, `.${FILE}.${randomUUID()}`);
    await writeFile(temporary, pair.certificate + pair.key, { mode: 0o600, flush: true });
    try {
      // Unlike a rename, a link does not replace the file when another worker was quicker.
      await link(temporary, file);
      return pair;
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
      const made = await load();
      if (made !== undefined) return made;
      await rename(temporary, file);
      return pair;
    } finally {
      await unlink(temporary).catch(() => undefined);
    }
  }

  return async () => (await load()) ?? (await create());
}

/** Undefined when the file is damaged or the certificate is about to expire: a new one is needed. */
function pairOf(text: string, nowMs: number): CertificatePair | undefined {
  const [certificate] = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n/) ?? [];
  const [key] = text.match(/-----BEGIN PRIVATE KEY-----[^-]+-----END PRIVATE KEY-----\n/) ?? [];
  if (certificate === undefined || key === undefined) return undefined;
  try {
    const validTo = new X509Certificate(certificate).validToDate.getTime();
    return validTo - RENEW_BEFORE_MS > nowMs ? { certificate, key } : undefined;
  } catch {
    return undefined;
  }
}
