import { type ConfigurationProblem, defineFields, type NumberField, type Secret } from '#core/index.ts';

/*
 * The fields that network inputs have in common, under Graylog's names. What Graylog knows and this server
 * does another way is still accepted, so that its clients can store and read back what they send.
 */

const MIB = 1024 * 1024;

export function bindFields(defaultPort: number) {
  return defineFields({
    bind_address: {
      type: 'text',
      humanName: 'Bind address',
      description: 'Address to listen on, for example 0.0.0.0 or 127.0.0.1.',
      default: '0.0.0.0',
    },
    port: {
      type: 'number',
      port: true,
      humanName: 'Port',
      description: 'Port to listen on. 0 takes any free one.',
      default: defaultPort as number,
    },
    number_worker_threads: {
      type: 'number',
      min: 1,
      humanName: 'Number of worker threads',
      description: 'Accepted for Graylog clients. The setting processing_workers of the node decides.',
      optional: true,
    },
    override_source: {
      type: 'text',
      humanName: 'Override source',
      description: 'The source of every message of this input, whatever the message says.',
      optional: true,
    },
    charset_name: {
      type: 'dropdown',
      values: { 'UTF-8': 'UTF-8' },
      humanName: 'Encoding',
      description: 'The encoding of the messages.',
      default: 'UTF-8',
      optional: true,
    },
  });
}

export const decompressionField = {
  type: 'number',
  min: 1,
  max: 32 * MIB,
  humanName: 'Decompressed size limit',
  description: 'Largest size of a message after decompression, in bytes.',
  default: 8 * MIB,
  optional: true,
} as const satisfies NumberField;

/** For stream sockets, whose buffers the kernel sizes by itself. */
export const streamBufferField = {
  type: 'number',
  min: 0,
  humanName: 'Receive buffer size',
  description: 'Accepted for Graylog clients. The kernel sizes the buffers of connections by itself.',
  default: MIB,
  optional: true,
} as const satisfies NumberField;

export const connectionFields = defineFields({
  max_connections: {
    type: 'number',
    min: 1,
    max: 1_000_000,
    humanName: 'Maximum connections',
    description: 'Connections open at once, for each worker. Further ones are closed and counted.',
    default: 4096,
    optional: true,
  },
  tcp_keepalive: {
    type: 'boolean',
    humanName: 'TCP keepalive',
    description: 'Notice peers that vanished without closing their connection.',
    default: true,
    optional: true,
  },
});

export const tlsFields = defineFields({
  tls_enable: {
    type: 'boolean',
    humanName: 'Enable TLS',
    description: 'Accept TLS connections only.',
    default: false,
    optional: true,
  },
  tls_cert_file: {
    type: 'text',
    humanName: 'TLS certificate file',
    description: 'PEM file with the certificate and its chain. Empty: a self-signed certificate is made.',
    optional: true,
  },
  tls_key_file: {
    type: 'text',
    humanName: 'TLS private key file',
    description: 'PEM file with the private key of the certificate.',
    optional: true,
  },
  tls_key_password: {
    type: 'password',
    humanName: 'TLS key password',
    description: 'The password of the private key, if it is encrypted.',
    optional: true,
  },
  tls_client_auth: {
    type: 'dropdown',
    values: { disabled: 'Disabled', optional: 'Optional', required: 'Required' },
    humanName: 'TLS client authentication',
    description: 'Whether clients need a certificate. Optional: one that is presented must be valid.',
    default: 'disabled',
    optional: true,
  },
  tls_client_auth_cert_file: {
    type: 'text',
    humanName: 'TLS client trusted certificates',
    description: 'PEM file, or folder of PEM files, with the certificates that clients are trusted by.',
    optional: true,
  },
});

export interface TlsConfig {
  readonly tls_enable: boolean;
  readonly tls_cert_file: string | undefined;
  readonly tls_key_file: string | undefined;
  readonly tls_key_password: Secret | undefined;
  readonly tls_client_auth: 'disabled' | 'optional' | 'required';
  readonly tls_client_auth_cert_file: string | undefined;
}

export function tlsProblems(config: TlsConfig): ConfigurationProblem[] {
  if (!config.tls_enable) return [];
  const problems: ConfigurationProblem[] = [];
  if (config.tls_cert_file !== undefined && config.tls_key_file === undefined) {
    problems.push({ path: 'tls_key_file', message: 'is missing: the certificate needs its private key' });
  }
  if (config.tls_key_file !== undefined && config.tls_cert_file === undefined) {
    problems.push({ path: 'tls_cert_file', message: 'is missing: the private key needs its certificate' });
  }
  if (config.tls_client_auth !== 'disabled' && config.tls_client_auth_cert_file === undefined) {
    problems.push({
      path: 'tls_client_auth_cert_file',
      message: 'is missing: name the certificates that clients are trusted by, or disable tls_client_auth',
    });
  }
  return problems;
}
