import { expect, test } from 'vitest';
import { requestedConfiguration } from '#core/index.ts';
import { OUTPUT_TYPES } from '../registry.ts';

const shownFor = (type: string, protocol: string) =>
  Object.entries(requestedConfiguration(OUTPUT_TYPES.find(type)?.fields ?? {}))
    .filter(([, field]) => field.depends_on && [field.depends_on.value].flat().includes(protocol))
    .map(([name]) => name);

const TLS = [
  'tls_verification_enabled',
  'tls_trust_cert_chain',
  'tls_client_cert_file',
  'tls_client_key_file',
  'tls_client_key_password',
];
const GELF_TCP = ['connect_timeout', 'resend_window', 'tcp_no_delay', 'tcp_keep_alive'];
const HTTP = ['compression', 'path', 'bulk', 'request_timeout'];
const SYSLOG_TCP = ['connect_timeout', 'resend_window'];

test.each([
  ['gelf', 'TCP', GELF_TCP],
  ['gelf', 'TCP+TLS', [...GELF_TCP, ...TLS]],
  ['gelf', 'UDP', ['compression', 'max_datagram_size']],
  ['gelf', 'HTTP', HTTP],
  ['gelf', 'HTTPS', [...HTTP, ...TLS]],
  ['syslog', 'TCP', SYSLOG_TCP],
  ['syslog', 'TCP+TLS', [...SYSLOG_TCP, ...TLS]],
  ['syslog', 'UDP', ['max_datagram_size']],
])('the form of %s over %s has the fields that it uses', (type, protocol, names) => {
  expect(shownFor(type, protocol).toSorted()).toEqual(names.toSorted());
});
