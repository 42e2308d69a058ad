import { validateHeaderName } from 'node:http';
import { type ConfigurationOf, type ConfigurationProblem, field, types } from '#core/index.ts';
import {
  bindFields,
  connectionFields,
  decompressionField,
  GROUP,
  idleTimeoutField,
  streamBufferField,
  tlsFields,
  tlsProblems,
} from '../net/fields.ts';

const MIB = 1024 * 1024;

export const gelfHttpFields = {
  ...bindFields(12201),
  recv_buffer_size: streamBufferField,
  ...connectionFields,
  ...tlsFields,
  enable_cors: field(types.boolean(), {
    humanName: 'Enable CORS',
    description: 'Let scripts of web pages of any origin send messages.',
    default: true,
    optional: true,
    group: GROUP.more,
  }),
  max_chunk_size: field(types.size({ min: '1b', max: '32mb' }), {
    humanName: 'Maximum message size',
    description: 'Longest message in bytes, after decompression.',
    default: 2 * MIB,
    optional: true,
    group: GROUP.limits,
  }),
  enable_bulk_receiving: field(types.boolean(), {
    humanName: 'Enable bulk receiving',
    description: 'Take many messages in one request: one on each line, or as a JSON array.',
    default: true,
    optional: true,
    group: GROUP.messages,
  }),
  max_bulk_size: field(types.size({ min: '1b', max: '128mb' }), {
    humanName: 'Maximum bulk size',
    description: 'Largest body with many messages in bytes.',
    default: 32 * MIB,
    optional: true,
    group: GROUP.limits,
    dependsOn: { field: 'enable_bulk_receiving', value: true },
  }),
  decompress_size_limit: decompressionField('body', { default: 32 * MIB, max: '128mb' }),
  idle_writer_timeout: idleTimeoutField(60_000, '0 keeps it open.'),
  authorization_header_name: field(types.text({ check: expectedHeaderName }), {
    humanName: 'Authorization header name',
    description: 'Only requests with this header and the value below are taken, for example Authorization.',
    optional: true,
    group: GROUP.authorization,
    placeholder: 'Authorization',
  }),
  authorization_header_value: field(types.secret(), {
    humanName: 'Authorization header value',
    description: 'The whole value of that header, for example "Bearer 3f2b8c1e".',
    optional: true,
    group: GROUP.authorization,
  }),
  authorization_header_value_secondary: field(types.secret(), {
    humanName: 'Second authorization header value',
    description: 'Taken as well as the first one, so that senders can get a new value one after the other.',
    optional: true,
    group: GROUP.authorization,
  }),
};

export type GelfHttpConfig = ConfigurationOf<typeof gelfHttpFields>;

/** Every sender sets them for another purpose, or they say how a request is to be read. */
const HEADERS_OF_HTTP: ReadonlySet<string> = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

function expectedHeaderName(name: string): string | undefined {
  try {
    validateHeaderName(name);
  } catch {
    return 'a name that an HTTP header can have';
  }
  return HEADERS_OF_HTTP.has(name.toLowerCase())
    ? 'a header that HTTP does not use itself, such as Authorization or X-Api-Key'
    : undefined;
}

export function gelfHttpProblems(config: GelfHttpConfig): ConfigurationProblem[] {
  const problems = tlsProblems(config);
  const { authorization_header_name: name, authorization_header_value: value } = config;
  if (name !== undefined && value === undefined) {
    problems.push({ path: 'authorization_header_value', message: `is missing: what must ${name} be?` });
  }
  if (config.authorization_header_value_secondary !== undefined && value === undefined) {
    problems.push({
      path: 'authorization_header_value',
      message: 'is missing: there is only the second one',
    });
  }
  if (value !== undefined && name === undefined) {
    problems.push({ path: 'authorization_header_name', message: 'is missing: which header has the value?' });
  }
  return problems;
}
