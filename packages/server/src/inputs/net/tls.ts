import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { createSecureContext, Server, type TLSSocket, type TlsOptions } from 'node:tls';
import { createPeriodicJob, errorMessage } from '#core/index.ts';
import { type InputContext, InputStartError } from '../input.ts';
import type { TlsConfig } from './fields.ts';

/** How long a client may take for its handshake. */
const HANDSHAKE_TIMEOUT_MS = 15_000;
const RENEWAL_CHECK_MS = 60_000;

/** The options of a TLS server for this input; undefined when it does not use TLS. */
export async function tlsServerOptions(
  context: Pick<InputContext, 'selfSignedCertificate'>,
  config: TlsConfig,
): Promise<TlsOptions | undefined> {
  if (!config.tls_enable) return undefined;
  const options: TlsOptions = {
    ...(await certificateOptions(context, config)),
    ...(await clientOptions(config)),
    minVersion: 'TLSv1.2',
    handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
  };
  try {
    createSecureContext(options);
  } catch (error) {
    throw new InputStartError(`the TLS certificate or key cannot be used: ${errorMessage(error)}`, {
      cause: error,
    });
  }
  return options;
}

/** With optional client certificates Node lets everybody in, but a certificate that is presented must be valid. */
export function isClientAllowed(config: TlsConfig, socket: TLSSocket): boolean {
  if (config.tls_client_auth !== 'optional' || socket.authorized) return true;
  return Object.keys(socket.getPeerCertificate()).length === 0;
}

/**
 * Uses renewed certificate files without a restart. Open connections keep the old certificate. Files that
 * cannot be used are reported, and the old ones stay in use. Returns a function that ends this.
 */
export function followRenewals(
  context: Pick<InputContext, 'selfSignedCertificate' | 'logger'>,
  config: TlsConfig,
  server: Pick<Server, 'setSecureContext'>,
  checkEveryMs = RENEWAL_CHECK_MS,
): () => void {
  const files = [config.tls_cert_file, config.tls_key_file, config.tls_client_auth_cert_file].filter(
    (file) => file !== undefined,
  );
  if (!config.tls_enable || files.length === 0) return () => undefined;
  let known = modificationTimes(files);

  async function check(): Promise<void> {
    const [before, now] = [await known, await modificationTimes(files)];
    if (before === now) return;
    known = Promise.resolve(now);
    try {
      server.setSecureContext((await tlsServerOptions(context, config)) ?? {});
      context.logger.info(`took over the renewed certificate of ${files.join(', ')}`);
    } catch (error) {
      context.logger.warn(`the changed certificate files are not used: ${errorMessage(error)}`);
    }
  }

  const job = createPeriodicJob(
    { run: check, logger: context.logger },
    { name: 'looking for renewed certificates', intervalMs: checkEveryMs },
  );
  job.start();
  return () => void job.stop();
}

/** The same for a server that may not use TLS. */
export function followServerRenewals(
  context: Pick<InputContext, 'selfSignedCertificate' | 'logger'>,
  config: TlsConfig,
  server: object,
): () => void {
  return server instanceof Server ? followRenewals(context, config, server) : () => undefined;
}

async function modificationTimes(files: readonly string[]): Promise<string> {
  const times = await Promise.all(
    files.map(async (file) => {
      try {
        return (await stat(file)).mtimeMs;
      } catch {
        return 'missing';
      }
    }),
  );
  return times.join(' ');
}

async function certificateOptions(
  context: Pick<InputContext, 'selfSignedCertificate'>,
  config: TlsConfig,
): Promise<TlsOptions> {
  if (config.tls_cert_file === undefined || config.tls_key_file === undefined) {
    const { certificate, key } = await selfSigned(context);
    return { cert: certificate, key };
  }
  const passphrase = config.tls_key_password?.reveal();
  return {
    cert: await readPem('tls_cert_file', config.tls_cert_file),
    key: await readPem('tls_key_file', config.tls_key_file),
    ...(passphrase === undefined ? {} : { passphrase }),
  };
}

async function selfSigned(context: Pick<InputContext, 'selfSignedCertificate'>) {
  try {
    return await context.selfSignedCertificate();
  } catch (error) {
    const reason = errorMessage(error);
    throw new InputStartError(`cannot make a self-signed certificate: ${reason}; set tls_cert_file`, {
      cause: error,
    });
  }
}

async function clientOptions(config: TlsConfig): Promise<TlsOptions> {
  if (config.tls_client_auth === 'disabled' || config.tls_client_auth_cert_file === undefined) return {};
  return {
    requestCert: true,
    rejectUnauthorized: config.tls_client_auth === 'required',
    ca: await readTrusted(config.tls_client_auth_cert_file),
  };
}

async function readTrusted(fileOrFolder: string): Promise<Buffer[]> {
  const field = 'tls_client_auth_cert_file';
  const files: string[] = [];
  try {
    if ((await stat(fileOrFolder)).isDirectory()) {
      for (const name of (await readdir(fileOrFolder)).sort()) {
        if (/\.(pem|crt|cer)$/i.test(name)) files.push(path.join(fileOrFolder, name));
      }
    } else files.push(fileOrFolder);
  } catch (error) {
    throw unreadable(field, fileOrFolder, error);
  }
  if (files.length === 0) {
    throw new InputStartError(`${field}: the folder ${fileOrFolder} has no .pem, .crt or .cer file`);
  }
  return Promise.all(files.map((file) => readPem(field, file)));
}

async function readPem(field: string, file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    throw unreadable(field, file, error);
  }
}

function unreadable(field: string, file: string, error: unknown): InputStartError {
  return new InputStartError(`${field}: cannot read ${file}: ${errorMessage(error)}`, { cause: error });
}
