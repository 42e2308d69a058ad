import { createHash } from 'node:crypto';
import { type ConfigurationOf, type ConfigurationProblem, field, types } from '#core/index.ts';
import { jsonEncoding, jsonLines } from '../json-encoding.ts';
import {
  batchFields,
  batchLimits,
  compressionField,
  reconnectDelayField,
  requestTimeoutField,
  serverFieldsField,
} from '../net/fields.ts';
import { basicAuthorization, createHttpSender } from '../net/http-sender.ts';
import { tlsClientFields, tlsClientProblems } from '../net/tls-client.ts';
import { defineOutputType, type OutgoingMessage } from '../output.ts';
import { GROUP } from '../queue-fields.ts';

const clickhouseFields = {
  url: field(types.httpUri(), {
    humanName: 'URL',
    description: 'HTTP interface of the ClickHouse server.',
    placeholder: 'https://clickhouse.example.org:8443/',
    receivesSecrets: true,
  }),
  database: field(types.text({ maxLength: 200 }), {
    humanName: 'Database',
    description: 'Where the table is.',
    default: 'default',
  }),
  table: field(types.text({ maxLength: 200 }), {
    humanName: 'Table',
    description:
      'A table of yours. Its columns get the fields of the same name: _id, timestamp, source, message, full_message, level, and those that messages have.',
  }),
  include_server_fields: serverFieldsField,
  skip_unknown_fields: field(types.boolean(), {
    humanName: 'Leave out fields without a column',
    description: 'Otherwise such messages are refused and go to the stream "Processing failures".',
    default: true,
    optional: true,
    group: GROUP.messages,
  }),
  username: field(types.text({ maxLength: 200 }), {
    humanName: 'User name',
    description: 'A user who may insert into the table.',
    default: 'default',
    optional: true,
    group: GROUP.authorization,
  }),
  password: field(types.secret(), {
    humanName: 'Password',
    description: 'The password of the user.',
    optional: true,
    group: GROUP.authorization,
  }),
  ...batchFields({ messages: 10_000, bytes: 4 * 1024 ** 2, waitMs: 1000 }),
  compression: compressionField,
  request_timeout: requestTimeoutField,
  reconnect_delay: reconnectDelayField,
  ...tlsClientFields(),
};

type ClickhouseConfig = ConfigurationOf<typeof clickhouseFields>;

export const clickhouseOutput = defineOutputType({
  id: 'clickhouse',
  wireType: 'clickhouse',
  name: 'ClickHouse',
  description: 'Inserts messages into a table of another ClickHouse server.',
  fields: clickhouseFields,
  check: clickhouseProblems,
  encoding: ({ include_server_fields: serverFields }) => jsonEncoding(serverFields),
  limits: (config) => batchLimits(config),
  retryDelayMs: ({ reconnect_delay }) => reconnect_delay,
  create(_context, config) {
    const sender = createHttpSender({
      url: config.url,
      headers: {
        'content-type': 'application/x-ndjson',
        authorization: basicAuthorization(config.username, config.password),
      },
      gzip: config.compression === 'gzip',
      timeoutMs: config.request_timeout,
      tls: config,
    });
    return {
      send: (messages, signal) =>
        sender.send({ url: insertUrl(config, messages), body: jsonLines(messages) }, signal),
      async close() {
        sender.close();
        return true;
      },
    };
  },
});

function clickhouseProblems(config: ClickhouseConfig): ConfigurationProblem[] {
  const problems = tlsClientProblems(config);
  if (config.username.includes(':')) {
    problems.push({ path: 'username', message: 'must not contain a colon' });
  }
  return problems;
}

/**
 * Insert and settings in one URL. A batch that is sent again has the same token, by which tables that remember their last
 * inserts know that they have it.
 */
function insertUrl(config: ClickhouseConfig, messages: readonly OutgoingMessage[]): string {
  const hash = createHash('sha256');
  for (const { id } of messages) hash.update(id);
  const url = new URL(config.url);
  url.search = new URLSearchParams({
    query: `INSERT INTO ${quoted(config.database)}.${quoted(config.table)} FORMAT JSONEachRow`,
    date_time_input_format: 'best_effort',
    input_format_skip_unknown_fields: config.skip_unknown_fields ? '1' : '0',
    insert_deduplication_token: hash.digest('hex'),
    wait_end_of_query: '1',
  }).toString();
  return url.href;
}

function quoted(identifier: string): string {
  return `\`${identifier.replaceAll(/[\\`]/g, '\\$&')}\``;
}
