import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { ConnectionOptions } from 'node:tls';
import {
  type ConfigurationOf,
  type ConfigurationProblem,
  errorMessage,
  type FieldOptions,
  field,
  types,
} from '#core/index.ts';
import { GROUP } from '../queue-fields.ts';

/** How an output trusts a server and proves who it is. `when` says which choices of the type use TLS. */
export function tlsClientFields(when?: FieldOptions['dependsOn']) {
  const common = { optional: true as const, group: GROUP.tls, ...(when && { dependsOn: when }) };
  return {
    tls_verification_enabled: field(types.boolean(), {
      humanName: 'Verify the TLS certificate',
      description:
        'Send only to a server whose certificate is valid for its host name. Turn it off for tests only.',
      default: true,
      ...common,
    }),
    tls_trust_cert_chain: field(types.text({ multiline: true }), {
      humanName: 'Trusted certificates',
      description:
        'PEM file, folder of PEM files, or PEM text with the certificates the server is trusted by. Empty: those of the system.',
      placeholder: '/etc/millrace/tls/ca.pem',
      ...common,
    }),
    tls_client_cert_file: field(types.text(), {
      humanName: 'Client certificate file',
      description: 'PEM file with the certificate, and its chain, that is shown to the server.',
      placeholder: '/etc/millrace/tls/client.pem',
      ...common,
    }),
    tls_client_key_file: field(types.text(), {
      humanName: 'Client key file',
      description: 'PEM file with the private key of the client certificate.',
      placeholder: '/etc/millrace/tls/client.key',
      ...common,
    }),
    tls_client_key_password: field(types.secret(), {
      humanName: 'Client key password',
      description: 'The password of the private key, if it is encrypted.',
      ...common,
    }),
  };
}

export type TlsClientConfig = ConfigurationOf<ReturnType<typeof tlsClientFields>>;

export function tlsClientProblems(config: TlsClientConfig): ConfigurationProblem[] {
  const { tls_client_cert_file: certificate, tls_client_key_file: key } = config;
  if ((certificate === undefined) === (key === undefined)) return [];
  return certificate === undefined
    ? [{ path: 'tls_client_cert_file', message: 'is missing: the private key needs its certificate' }]
    : [{ path: 'tls_client_key_file', message: 'is missing: the certificate needs its private key' }];
}

/** Read anew for every connection, so that renewed files are used. */
export async function tlsClientOptions(config: TlsClientConfig): Promise<ConnectionOptions> {
  const { tls_trust_cert_chain: trust, tls_client_cert_file: cert, tls_client_key_file: key } = config;
  return {
    minVersion: 'TLSv1.2',
    rejectUnauthorized: config.tls_verification_enabled,
    ...(trust !== undefined && { ca: await readTrusted(trust) }),
    ...(cert !== undefined && { cert: await readPem('tls_client_cert_file', cert) }),
    ...(key !== undefined && { key: await readPem('tls_client_key_file', key) }),
    ...(config.tls_client_key_password && { passphrase: config.tls_client_key_password.reveal() }),
  };
}

async function readTrusted(trust: string): Promise<string[]> {
  if (trust.includes('-----BEGIN')) return [trust];
  const isFolder = (await stat(trust).catch(() => undefined))?.isDirectory() ?? false;
  if (!isFolder) return [await readPem('tls_trust_cert_chain', trust)];
  const names = (await readdir(trust)).filter((name) => /\.(pem|crt|cer)$/i.test(name));
  return Promise.all(names.map((name) => readPem('tls_trust_cert_chain', path.join(trust, name))));
}

async function readPem(fieldName: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new Error(`${fieldName}: cannot read ${file}: ${errorMessage(error)}`, { cause: error });
  }
}
