import { type ConfigurationOf, type ConfigurationProblem, field, types } from '#core/index.ts';
import {
  batchFields,
  connectTimeoutField,
  reconnectDelayField,
  requestTimeoutField,
  serverFieldsField,
} from '../net/fields.ts';
import { tlsClientFields, tlsClientProblems } from '../net/tls-client.ts';
import { GROUP } from '../queue-fields.ts';

const authorization = { optional: true as const, group: GROUP.authorization };

export const kafkaFields = {
  brokers: field(types.list(types.address()), {
    humanName: 'Brokers',
    description:
      'Some brokers of the cluster as host:port; the others are found through them. They must be Kafka 3.5 or later.',
    placeholder: 'kafka-1.example.org:9092, kafka-2.example.org:9092',
    receivesSecrets: true,
  }),
  topic: field(
    types.text({
      pattern: /^[\w.-]{1,249}$/,
      expected: 'a topic: letters, digits, dots, underscores and hyphens',
    }),
    { humanName: 'Topic', description: 'Where messages are written. It must exist.' },
  ),
  key: field(types.choice({ none: 'None', source: 'Source', id: 'Id of the message' }), {
    humanName: 'Key',
    description:
      'Messages with the same key stay in order. Without a key they are spread over the partitions.',
    default: 'none',
    optional: true,
    group: GROUP.messages,
  }),
  include_server_fields: serverFieldsField,
  acks: field(types.choice({ all: 'All replicas', leader: 'The leader' }), {
    humanName: 'Acknowledged by',
    description: 'Who must have the messages before they count as delivered.',
    default: 'all',
    optional: true,
    group: GROUP.more,
  }),
  compression: field(types.choice({ none: 'None', gzip: 'gzip', zstd: 'Zstandard' }), {
    humanName: 'Compression',
    description: 'How batches are compressed.',
    default: 'gzip',
    optional: true,
    group: GROUP.batches,
  }),
  ...batchFields({ messages: 5000, bytes: 512 * 1024, waitMs: 100 }),
  tls: field(types.boolean(), {
    humanName: 'TLS',
    description: 'Encrypt the connection to the brokers.',
    default: false,
    optional: true,
    group: GROUP.tls,
  }),
  ...tlsClientFields({ field: 'tls', value: true }),
  sasl_mechanism: field(
    types.choice({
      none: 'None',
      PLAIN: 'PLAIN',
      'SCRAM-SHA-256': 'SCRAM-SHA-256',
      'SCRAM-SHA-512': 'SCRAM-SHA-512',
    }),
    {
      humanName: 'Authentication',
      description: 'PLAIN sends the password as it is: use it with TLS only.',
      default: 'none',
      ...authorization,
    },
  ),
  username: field(types.text({ maxLength: 200 }), {
    humanName: 'User name',
    description: 'A user who may write to the topic.',
    ...authorization,
  }),
  password: field(types.secret(), {
    humanName: 'Password',
    description: 'The password of the user.',
    ...authorization,
  }),
  connect_timeout: connectTimeoutField,
  request_timeout: requestTimeoutField,
  reconnect_delay: reconnectDelayField,
};

export type KafkaConfig = ConfigurationOf<typeof kafkaFields>;

export function kafkaProblems(config: KafkaConfig): ConfigurationProblem[] {
  const problems = tlsClientProblems(config);
  if (config.brokers.length === 0) problems.push({ path: 'brokers', message: 'must name a broker' });
  if (config.sasl_mechanism !== 'none') {
    if (config.username === undefined) problems.push({ path: 'username', message: 'is missing' });
    if (config.password === undefined) problems.push({ path: 'password', message: 'is missing' });
  }
  return problems;
}
