import { validateHeaderName } from 'node:http';
import { type ConfigurationOf, type ConfigurationProblem, defineFields } from '#core/index.ts';
import {
  bindFields,
  connectionFields,
  decompressionField,
  streamBufferField,
  tlsFields,
  tlsProblems,
} from '../net/fields.ts';

const MIB = 1024 * 1024;

export const gelfHttpFields = defineFields({
  ...bindFields(12201),
  recv_buffer_size: streamBufferField,
  ...connectionFields,
  ...tlsFields,
  enable_cors: {
    type: 'boolean',
    humanName: 'Enable CORS',
    description: 'Let scripts of web pages of any origin send messages.',
    default: true,
    optional: true,
  },
  max_chunk_size: {
    type: 'number',
    min: 1,
    max: 32 * MIB,
    humanName: 'Maximum message size',
    description: 'Longest message in bytes, after decompression.',
    default: 2 * MIB,
    optional: true,
  },
  enable_bulk_receiving: {
    type: 'boolean',
    humanName: 'Enable bulk receiving',
    description: 'Take many messages in one request: one on each line, or as a JSON array.',
    default: true,
    optional: true,
  },
  max_bulk_size: {
    type: 'number',
    min: 1,
    max: 128 * MIB,
    humanName: 'Maximum bulk size',
    description: 'Largest body with many messages in bytes.',
    default: 32 * MIB,
    optional: true,
  },
  decompress_size_limit: {
    ...decompressionField,
    max: 128 * MIB,
    default: 32 * MIB,
    description: 'Largest size of a body after decompression, in bytes.',
  },
  idle_writer_timeout: {
    type: 'number',
    min: 0,
    max: 86_400,
    humanName: 'Idle timeout',
    description: 'Seconds without data after which a connection is closed. 0 keeps it open.',
    default: 60,
    optional: true,
  },
  authorization_header_name: {
    type: 'text',
    humanName: 'Authorization header name',
    description: 'Only requests with this header and the value below are taken, for example Authorization.',
    optional: true,
    check: headerNameFault,
  },
  authorization_header_value: {
    type: 'password',
    humanName: 'Authorization header value',
    description: 'The whole value of that header, for example "Bearer 3f2b8c1e".',
    optional: true,
  },
});

export type GelfHttpConfig = ConfigurationOf<typeof gelfHttpFields>;

function headerNameFault(name: string): string | undefined {
  try {
    validateHeaderName(name);
    return undefined;
  } catch {
    return `must be a name that an HTTP header can have, not ${JSON.stringify(name)}`;
  }
}

export function gelfHttpProblems(config: GelfHttpConfig): ConfigurationProblem[] {
  const problems = tlsProblems(config);
  const { authorization_header_name: name, authorization_header_value: value } = config;
  if (name !== undefined && value === undefined) {
    problems.push({ path: 'authorization_header_value', message: `is missing: what must ${name} be?` });
  }
  if (value !== undefined && name === undefined) {
    problems.push({ path: 'authorization_header_name', message: 'is missing: which header has the value?' });
  }
  return problems;
}
