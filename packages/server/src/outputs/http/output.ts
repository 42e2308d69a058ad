import { jsonArray, jsonEncoding, jsonLines } from '../json-encoding.ts';
import { batchLimits } from '../net/fields.ts';
import { basicAuthorization, createHttpSender } from '../net/http-sender.ts';
import { defineOutputType } from '../output.ts';
import { type HttpConfig, httpFields, httpProblems } from './config.ts';

const CONTENT_TYPES = { json: 'application/json', ndjson: 'application/x-ndjson' };

export const httpOutput = defineOutputType({
  id: 'http',
  wireType: 'http',
  name: 'HTTP',
  description: 'Sends batches of messages as JSON to any HTTP server.',
  fields: httpFields,
  check: httpProblems,
  encoding: ({ include_server_fields: serverFields }) => jsonEncoding(serverFields),
  limits: (config) => batchLimits(config),
  retryDelayMs: ({ reconnect_delay }) => reconnect_delay,
  create(_context, config) {
    const sender = createHttpSender({
      url: config.url,
      method: config.method,
      headers: headersOf(config),
      gzip: config.compression === 'gzip',
      timeoutMs: config.request_timeout,
      tls: config,
      refusedStatuses: new Set(config.refused_statuses),
    });
    const write = config.format === 'json' ? jsonArray : jsonLines;
    return {
      send: (messages, signal) => sender.send({ body: write(messages) }, signal),
      async close() {
        sender.close();
        return true;
      },
    };
  },
});

function headersOf(config: HttpConfig): Record<string, string> {
  const headers: Record<string, string> = { 'content-type': CONTENT_TYPES[config.format] };
  const { basic_auth_username: user, basic_auth_password: password, bearer_token: token } = config;
  if (user !== undefined) headers.authorization = basicAuthorization(user, password);
  if (token !== undefined) headers.authorization = `Bearer ${token.reveal()}`;
  for (const { name, value } of config.headers) headers[name.toLowerCase()] = value;
  for (const { name, value } of config.secret_headers) headers[name.toLowerCase()] = value.reveal();
  return headers;
}
