import { expect, test } from 'vitest';
import { INPUT_TYPES } from './registry.ts';

/** Complete configurations as the first version stored them. They must be read for as long as there are such databases. */
const network = { bind_address: '0.0.0.0', port: 12201, charset_name: 'UTF-8' };
const stream = {
  ...network,
  recv_buffer_size: 1_048_576,
  max_connections: 4096,
  tcp_keepalive: true,
  tls_enable: true,
  tls_cert_file: 'certs/cert.pem',
  tls_key_file: 'certs/key.pem',
  tls_key_password: ' with spaces ',
  tls_client_auth: 'disabled',
};
const stored: [type: string, configuration: Record<string, unknown>][] = [
  [
    'gelf-udp',
    { ...network, override_source: 'web-1', recv_buffer_size: 0, decompress_size_limit: 8_388_608 },
  ],
  [
    'gelf-tcp',
    { ...stream, use_null_delimiter: true, max_message_size: 2_097_152, frame_timeout: 60, idle_timeout: 90 },
  ],
  [
    'gelf-http',
    {
      ...stream,
      enable_cors: true,
      max_chunk_size: 2_097_152,
      enable_bulk_receiving: true,
      max_bulk_size: 33_554_432,
      decompress_size_limit: 33_554_432,
      idle_writer_timeout: 60,
      authorization_header_name: 'Authorization',
      authorization_header_value: 'Bearer 3f2b8c1e',
    },
  ],
];

/** Fields that later versions added, with the defaults that keep an input as it was. */
const ADDED_LATER: Record<string, Record<string, unknown>> = { 'gelf-tcp': { detect_delimiter: false } };

test.each(stored)('%s reads a stored configuration and stores the same again', (type, configuration) => {
  expect(INPUT_TYPES.find(type)?.complete(configuration)).toEqual({ ...ADDED_LATER[type], ...configuration });
});

test('a configuration from before frame_timeout existed gets its default and keeps the rest', () => {
  const before = { ...stream, use_null_delimiter: true, max_message_size: 2_097_152, idle_timeout: 0 };
  expect(INPUT_TYPES.find('gelf-tcp')?.complete(before)).toEqual({
    ...ADDED_LATER['gelf-tcp'],
    ...before,
    frame_timeout: 120,
  });
});
