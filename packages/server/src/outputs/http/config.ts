import {
  type ConfigurationOf,
  type ConfigurationProblem,
  field,
  headerProblems,
  httpHeader,
  isHeader,
  types,
} from '#core/index.ts';
import {
  batchFields,
  compressionField,
  reconnectDelayField,
  requestTimeoutField,
  serverFieldsField,
} from '../net/fields.ts';
import { REFUSED_STATUSES } from '../net/http-sender.ts';
import { tlsClientFields, tlsClientProblems } from '../net/tls-client.ts';
import { GROUP } from '../queue-fields.ts';

const authorization = { optional: true as const, group: GROUP.authorization };

export const httpFields = {
  url: field(types.httpUrl(), {
    humanName: 'URL',
    description: 'Where messages are sent.',
    placeholder: 'https://logs.example.org/ingest',
    receivesSecrets: true,
  }),
  format: field(types.choice({ ndjson: 'A JSON object on each line', json: 'A JSON array' }), {
    humanName: 'Format',
    description: 'How the messages of a request are written.',
    default: 'ndjson',
  }),
  include_server_fields: serverFieldsField,
  method: field(types.oneOf(['POST', 'PUT']), {
    humanName: 'Method',
    description: 'The method of the requests.',
    default: 'POST',
    optional: true,
    group: GROUP.more,
  }),
  headers: field(types.list(httpHeader(types.text())), {
    humanName: 'Headers',
    description: 'Sent with every request. Content-Type is set by the format unless it is here.',
    default: [],
    optional: true,
    group: GROUP.more,
  }),
  secret_headers: field(types.list(httpHeader(types.secret())), {
    humanName: 'Secret headers',
    description: 'The same, with values that are never shown.',
    default: [],
    ...authorization,
  }),
  basic_auth_username: field(types.text({ maxLength: 200 }), {
    humanName: 'User name',
    description: 'For Basic authentication.',
    ...authorization,
  }),
  basic_auth_password: field(types.secret(), {
    humanName: 'Password',
    description: 'For Basic authentication.',
    ...authorization,
  }),
  bearer_token: field(types.secret(), {
    humanName: 'Bearer token',
    description: 'Sent as Authorization: Bearer.',
    ...authorization,
  }),
  ...batchFields({ messages: 1000, bytes: 1024 ** 2, waitMs: 1000 }),
  compression: compressionField,
  refused_statuses: field(types.list(types.integer({ min: 300, max: 599 })), {
    humanName: 'Statuses that refuse messages',
    description:
      'After one of these the messages are not sent again: those at fault go to the stream "Processing failures". After any other status than 2xx they are sent again, not before the time that Retry-After asks for.',
    default: [...REFUSED_STATUSES],
    optional: true,
    group: GROUP.more,
  }),
  request_timeout: requestTimeoutField,
  reconnect_delay: reconnectDelayField,
  ...tlsClientFields(),
};

export type HttpConfig = ConfigurationOf<typeof httpFields>;

export function httpProblems(config: HttpConfig): ConfigurationProblem[] {
  const problems = [
    ...tlsClientProblems(config),
    ...headerProblems('headers', config.headers),
    ...headerProblems('secret_headers', config.secret_headers),
  ];
  const { basic_auth_username: user, basic_auth_password: password, bearer_token: token } = config;
  if (user === undefined && password !== undefined) {
    problems.push({ path: 'basic_auth_username', message: 'is missing: whose password is it?' });
  }
  if (user?.includes(':')) {
    problems.push({ path: 'basic_auth_username', message: 'must not contain a colon' });
  }
  if (user !== undefined && token !== undefined) {
    problems.push({ path: 'bearer_token', message: 'must be empty when there is a user name' });
  }
  if (token !== undefined && !isHeader('authorization', `Bearer ${token.reveal()}`)) {
    problems.push({ path: 'bearer_token', message: 'has characters that an HTTP header cannot have' });
  }
  return problems;
}
