import { types } from '#core/index.ts';
import { derived, optional, withDefault } from '../setting.ts';
import { origin, subnet } from '../value-types.ts';

export const httpSettings = {
  http_bind_address: withDefault(
    types.address(),
    '127.0.0.1:9000',
    'Where the API (under /api/) and the web interface listen. 0.0.0.0 or [::] means all interfaces, port 0 any free port.',
    { example: '0.0.0.0:9000' },
  ),
  http_publish_uri: derived(
    types.httpUri(),
    "http_bind_address, with the machine's name in place of 0.0.0.0 or [::]",
    'The address under which the other nodes reach this one.',
    { example: 'http://node-1.example.org:9000/' },
  ),
  http_external_uri: derived(
    types.httpUri(),
    'http_publish_uri',
    'The address under which people reach the web interface, if there is a proxy in between. It has no path: give the web interface a host name or a port of its own.',
    { example: 'https://logs.example.org/' },
  ),
  http_enable_cors: withDefault(
    types.boolean(),
    'false',
    'Allow web pages of the origins in http_allowed_origins to use the API.',
  ),
  http_allowed_origins: optional(
    types.list(origin()),
    'none',
    'The origins that http_enable_cors allows, comma separated. Their pages may use the session cookie of the person who visits them, so there is no * for any origin.',
    { example: 'https://dashboard.example.org' },
  ),
  http_enable_gzip: withDefault(types.boolean(), 'true', 'Compress answers for clients that ask for it.'),
  http_enable_tls: withDefault(
    types.boolean(),
    'false',
    'Serve HTTPS. Needs http_tls_cert_file and http_tls_key_file.',
  ),
  http_tls_cert_file: optional(types.filePath(), 'none', 'The certificate chain, a PEM file.', {
    example: '/etc/millrace/tls/cert.pem',
  }),
  http_tls_key_file: optional(types.filePath(), 'none', 'The private key, a PEM file.', {
    example: '/etc/millrace/tls/key.pem',
  }),
  http_tls_key_password: optional(
    types.secret(),
    'the key is not encrypted',
    'The password of the private key.',
  ),
  http_max_header_size: withDefault(
    types.size({ min: '1kb', max: '1mb' }),
    '8kb',
    'Requests with larger headers are refused.',
  ),
  http_max_body_size: withDefault(
    types.size({ min: '1kb', max: '1gb' }),
    '10mb',
    'API requests with larger bodies are refused. Requests that need no user, such as a log-in, may have 16 KiB. Inputs have limits of their own.',
  ),
  trusted_proxies: optional(
    types.list(subnet()),
    'none',
    'Proxies whose X-Forwarded-For header is trusted: comma separated addresses or subnets. Behind a proxy that is not listed all clients seem to have its address, so that failed logins of one slow down the logins of all.',
    { example: '127.0.0.1, 10.0.0.0/8' },
  ),
};
