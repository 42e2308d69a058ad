import { type ConfigurationProblem, field, type Secret, types } from '#core/index.ts';

/*
 * The fields that network inputs have in common, under Graylog's names. What Graylog knows and this server
 * does another way is still accepted, so that its clients can store and read back what they send.
 */

const MIB = 1024 * 1024;

/** The groups of a form. Address and port have none: they are always shown. */
export const GROUP = {
  messages: 'Messages',
  limits: 'Limits',
  tls: 'TLS',
  authorization: 'Authorization',
  /** What few people need. */
  more: 'More',
} as const;

export function bindFields(defaultPort: number) {
  return {
    bind_address: field(types.text(), {
      humanName: 'Bind address',
      description: 'Address to listen on, for example 0.0.0.0 or 127.0.0.1.',
      default: '0.0.0.0',
      placeholder: '0.0.0.0',
    }),
    port: field(types.port(), {
      humanName: 'Port',
      description: 'Port to listen on. 0 takes any free one.',
      default: defaultPort,
    }),
    number_worker_threads: field(types.integer({ min: 1 }), {
      humanName: 'Number of worker threads',
      description: 'Accepted for Graylog clients. The setting processing_workers of the node decides.',
      optional: true,
      group: GROUP.more,
    }),
    override_source: field(types.text(), {
      humanName: 'Override source',
      description: 'The source of every message of this input, whatever the message says.',
      optional: true,
      group: GROUP.messages,
    }),
    charset_name: field(types.choice({ 'UTF-8': 'UTF-8' }), {
      humanName: 'Encoding',
      description: 'The encoding of the messages.',
      default: 'UTF-8',
      optional: true,
      group: GROUP.messages,
    }),
  };
}

export function decompressionField(what: string, limit: { readonly default: number; readonly max: string }) {
  return field(types.size({ min: '1b', max: limit.max }), {
    humanName: 'Decompressed size limit',
    description: `Largest size of a ${what} after decompression, in bytes.`,
    default: limit.default,
    optional: true,
    group: GROUP.limits,
  });
}

/** For stream sockets, whose buffers the kernel sizes by itself. */
export const streamBufferField = field(types.size({ min: '0b' }), {
  humanName: 'Receive buffer size',
  description: 'Accepted for Graylog clients. The kernel sizes the buffers of connections by itself.',
  default: MIB,
  optional: true,
  group: GROUP.more,
});

export const connectionFields = {
  max_connections: field(types.integer({ min: 1, max: 1_000_000 }), {
    humanName: 'Maximum connections',
    description: 'Connections open at once, for each worker. Further ones are closed and counted.',
    default: 4096,
    optional: true,
    group: GROUP.limits,
  }),
  tcp_keepalive: field(types.boolean(), {
    humanName: 'TCP keepalive',
    description: 'Notice senders that vanished without closing their connection.',
    default: true,
    optional: true,
    group: GROUP.more,
  }),
};

/** Seconds in the API. */
export function idleTimeoutField(defaultMs: number, consequence: string) {
  return field(types.duration({ min: '0s', max: '1d', bareUnit: 's' }), {
    humanName: 'Idle timeout',
    description: `Seconds without data after which a connection is closed. ${consequence}`,
    default: defaultMs,
    optional: true,
    group: GROUP.limits,
  });
}

/** Seconds in the API. */
export const frameTimeoutField = field(types.duration({ min: '0s', max: '1d', bareUnit: 's' }), {
  humanName: 'Message timeout',
  description:
    'Seconds within which a message of more than 64 KiB must be complete. A slower one closes its connection. ' +
    '0 waits for any time.',
  default: 120_000,
  optional: true,
  group: GROUP.limits,
});

const withTls = { field: 'tls_enable', value: true };

export const tlsFields = {
  tls_enable: field(types.boolean(), {
    humanName: 'Enable TLS',
    description: 'Accept TLS connections only.',
    default: false,
    optional: true,
    group: GROUP.tls,
  }),
  tls_cert_file: field(types.text(), {
    humanName: 'TLS certificate file',
    description: 'PEM file with the certificate and its chain. Empty: a self-signed certificate is made.',
    optional: true,
    group: GROUP.tls,
    dependsOn: withTls,
    placeholder: '/etc/millrace/tls/cert.pem',
  }),
  tls_key_file: field(types.text(), {
    humanName: 'TLS private key file',
    description: 'PEM file with the private key of the certificate.',
    optional: true,
    group: GROUP.tls,
    dependsOn: withTls,
    placeholder: '/etc/millrace/tls/key.pem',
  }),
  tls_key_password: field(types.secret(), {
    humanName: 'TLS key password',
    description: 'The password of the private key, if it is encrypted.',
    optional: true,
    group: GROUP.tls,
    dependsOn: withTls,
  }),
  tls_client_auth: field(types.choice({ disabled: 'Disabled', optional: 'Optional', required: 'Required' }), {
    humanName: 'TLS client authentication',
    description: 'Whether clients need a certificate. Optional: one that is presented must be valid.',
    default: 'disabled',
    optional: true,
    group: GROUP.tls,
    dependsOn: withTls,
  }),
  tls_client_auth_cert_file: field(types.text(), {
    humanName: 'TLS client trusted certificates',
    description: 'PEM file, or folder of PEM files, with the certificates that clients are trusted by.',
    optional: true,
    group: GROUP.tls,
    dependsOn: withTls,
    placeholder: '/etc/millrace/tls/clients.pem',
  }),
};

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
