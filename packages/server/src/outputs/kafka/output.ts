import type { MultipleErrors, Producer } from '@platformatic/kafka';
import { errorMessage } from '#core/index.ts';
import { jsonEncoding } from '../json-encoding.ts';
import { batchLimits } from '../net/fields.ts';
import { tlsClientOptions } from '../net/tls-client.ts';
import { defineOutputType, type OutgoingMessage, type Output, RefusedError } from '../output.ts';
import { type KafkaConfig, kafkaFields, kafkaProblems } from './config.ts';

const CLIENT_ID = 'millrace';
const ACKS = { all: -1, leader: 1 };
/** What brokers say about the messages themselves. Everything else may be put right. */
const REFUSALS = ['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE', 'INVALID_RECORD', 'INVALID_TIMESTAMP'];

export const kafkaOutput = defineOutputType({
  id: 'kafka',
  wireType: 'kafka',
  name: 'Kafka',
  description: 'Writes messages as JSON to a topic of Kafka, or of anything that speaks its protocol.',
  fields: kafkaFields,
  check: kafkaProblems,
  encoding: ({ include_server_fields: serverFields }) => jsonEncoding(serverFields),
  limits: (config) => batchLimits(config),
  retryDelayMs: ({ reconnect_delay }) => reconnect_delay,
  create: (_context, config) => createKafkaOutput(config),
});

type KafkaProducer = Producer<Buffer, Buffer, Buffer, Buffer>;

function createKafkaOutput(config: KafkaConfig): Output {
  const { topic } = config;
  let producer: KafkaProducer | undefined;

  async function disconnect(): Promise<void> {
    const current = producer;
    producer = undefined;
    // What it says about connections that are broken already is of no use.
    await new Promise<void>((resolve) => {
      if (current === undefined) resolve();
      else current.close(true, () => resolve());
    });
  }

  /** Ends waiting requests by closing their connections. */
  async function whileWanted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
    const abort = () => void disconnect();
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    try {
      return await work;
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  return {
    async connect(signal) {
      await disconnect();
      const opened = await createProducer(config);
      producer = opened;
      try {
        await whileWanted(signal, opened.metadata({ topics: [topic], forceUpdate: true }));
      } catch (error) {
        await disconnect();
        throw new Error(`cannot connect to Kafka: ${reasonOf(error)}`, { cause: error });
      }
    },
    async send(messages, signal) {
      const current = producer;
      if (current === undefined) throw new Error('the connection to Kafka is closed');
      const records = messages.map((message) => ({
        topic,
        value: message.payload,
        timestamp: BigInt(Math.trunc(message.timestamp)),
        ...keyOf(message, config.key),
      }));
      try {
        await whileWanted(signal, current.send({ messages: records }));
      } catch (error) {
        if (isRefusal(error)) throw new RefusedError(reasonOf(error));
        throw new Error(`Kafka did not take the messages: ${reasonOf(error)}`, { cause: error });
      }
    },
    async close() {
      await disconnect();
      return true;
    },
  };
}

/** The library is large, so it is loaded by those who use it. */
async function createProducer(config: KafkaConfig): Promise<KafkaProducer> {
  const { Producer } = await import('@platformatic/kafka');
  const { sasl_mechanism: mechanism, username, password } = config;
  return new Producer<Buffer, Buffer, Buffer, Buffer>({
    clientId: CLIENT_ID,
    bootstrapBrokers: config.brokers.map(({ host, port }) => ({ host, port })),
    acks: ACKS[config.acks],
    compression: config.compression,
    autocreateTopics: false,
    // Delivery decides when to try again.
    retries: 0,
    connectTimeout: config.connect_timeout,
    requestTimeout: config.request_timeout,
    timeout: config.request_timeout,
    ...(config.tls && { tls: await tlsClientOptions(config), tlsServerName: true }),
    ...(mechanism !== 'none' && {
      sasl: { mechanism, username: username ?? '', password: password?.reveal() ?? '' },
    }),
  });
}

function keyOf({ id, payload }: OutgoingMessage, key: KafkaConfig['key']): { key?: Buffer } {
  if (key === 'none') return {};
  if (key === 'id') return { key: Buffer.from(id) };
  const { source } = JSON.parse(payload.toString('utf8')) as { source: unknown };
  return { key: Buffer.from(String(source)) };
}

function isRefusal(error: unknown): boolean {
  return allErrors(error).some(({ apiId }) => REFUSALS.includes(String(apiId)));
}

/** The outer errors only count the inner ones. */
function reasonOf(error: unknown): string {
  const texts = allErrors(error).map(errorMessage);
  return [...new Set(texts.slice(texts.length > 1 ? 1 : 0))].join('; ') || errorMessage(error);
}

function allErrors(error: unknown): { readonly apiId?: unknown }[] {
  if (typeof error !== 'object' || error === null) return [];
  const { errors = [], cause } = error as Partial<MultipleErrors>;
  return [error, ...errors.flatMap(allErrors), ...allErrors(cause)];
}
