/**
 * A broker with one topic that takes what producers write: enough of Kafka's protocol for a producer, made of the parts
 * with which the client library reads and writes it. It is no Kafka; what a real cluster does beyond this is not tested.
 */
import { once } from 'node:events';
import net from 'node:net';
import { Reader, readRecordsBatch, Writer } from '@platformatic/kafka';
import { onTestFinished } from 'vitest';

const PRODUCE = 0;
const METADATA = 3;
const API_VERSIONS = 18;
const VERSIONS = [
  { key: PRODUCE, version: 11 },
  { key: METADATA, version: 12 },
  { key: API_VERSIONS, version: 4 },
];
const UNKNOWN_TOPIC = 3;
const PARTITIONS = [0, 1];
const TOPIC_ID = '00000000-0000-0000-0000-000000000001';

export interface ReceivedRecord {
  readonly partition: number;
  readonly key: string | undefined;
  readonly value: string;
  readonly timestamp: number;
}

export interface KafkaBroker {
  readonly address: string;
  readonly records: ReceivedRecord[];
  /** The error code with which it answers writes from now on. */
  failWith(code: number): void;
  /** Nobody is there any more. */
  close(): Promise<void>;
}

export async function startKafkaBroker(topic: string): Promise<KafkaBroker> {
  const records: ReceivedRecord[] = [];
  let errorCode = 0;

  function respond(apiKey: number, request: Reader): Writer {
    if (apiKey === API_VERSIONS) return apiVersions();
    if (apiKey === METADATA) return metadata(topic, port, request);
    const written = produced(request);
    if (errorCode === 0) records.push(...written);
    return produceAnswer(topic, new Set(written.map(({ partition }) => partition)), errorCode);
  }

  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    let rest = Buffer.alloc(0);
    socket.on('error', () => {});
    socket.on('data', (bytes: Buffer) => {
      rest = Buffer.concat([rest, bytes]);
      while (rest.length >= 4 && rest.length >= 4 + rest.readInt32BE(0)) {
        const end = 4 + rest.readInt32BE(0);
        socket.write(answer(rest.subarray(4, end), respond));
        rest = rest.subarray(end);
      }
    });
    onTestFinished(() => void socket.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as net.AddressInfo;
  return {
    address: `127.0.0.1:${port}`,
    records,
    failWith(code) {
      errorCode = code;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function answer(bytes: Buffer, respond: (apiKey: number, request: Reader) => Writer): Buffer {
  const request = Reader.from(bytes);
  const apiKey = request.readInt16();
  request.readInt16();
  const correlationId = request.readInt32();
  request.readString(false);
  request.readTaggedFields();
  const response = Writer.create().appendInt32(correlationId);
  // The answer about versions is for clients that do not know the new header yet.
  if (apiKey !== API_VERSIONS) response.appendTaggedFields();
  response.appendFrom(respond(apiKey, request));
  return response.prependLength().buffer;
}

function apiVersions(): Writer {
  return Writer.create()
    .appendInt16(0)
    .appendArray(VERSIONS, (writer, { key, version }) =>
      writer.appendInt16(key).appendInt16(version).appendInt16(version),
    )
    .appendInt32(0)
    .appendTaggedFields();
}

function metadata(topic: string, port: number, request: Reader): Writer {
  const asked = request.readArray((reader) => {
    reader.readUUID();
    return reader.readString();
  });
  return Writer.create()
    .appendInt32(0)
    .appendArray([port], (writer) =>
      writer.appendInt32(1).appendString('127.0.0.1').appendInt32(port).appendString(null),
    )
    .appendString('cluster')
    .appendInt32(1)
    .appendArray(asked, (writer, name) => {
      const partitions = name === topic ? PARTITIONS : [];
      writer
        .appendInt16(name === topic ? 0 : UNKNOWN_TOPIC)
        .appendString(name)
        .appendUUID(TOPIC_ID)
        .appendBoolean(false)
        .appendArray(partitions, (w, partition) => {
          w.appendInt16(0).appendInt32(partition).appendInt32(1).appendInt32(0);
          for (const nodes of [[1], [1], []])
            w.appendArray(nodes, (each, node) => each.appendInt32(node), true, false);
        })
        .appendInt32(0);
    })
    .appendTaggedFields();
}

function produced(request: Reader): ReceivedRecord[] {
  request.readNullableString();
  request.readInt16();
  request.readInt32();
  return request
    .readArray((topics) => {
      topics.readString();
      return topics.readArray((reader) => {
        const partition = reader.readInt32();
        reader.readUnsignedVarInt();
        const batch = readRecordsBatch(reader);
        return batch.records.map((record) => ({
          partition,
          key: record.key?.toString(),
          value: record.value?.toString() ?? '',
          timestamp: Number(batch.firstTimestamp + record.timestampDelta),
        }));
      });
    })
    .flat(2);
}

function produceAnswer(topic: string, partitions: ReadonlySet<number>, errorCode: number): Writer {
  return Writer.create()
    .appendArray([topic], (writer, name) =>
      writer.appendString(name).appendArray([...partitions], (each, partition) => {
        each.appendInt32(partition).appendInt16(errorCode).appendInt64(0n).appendInt64(-1n).appendInt64(0n);
        each.appendArray([], () => {}).appendString(null);
      }),
    )
    .appendInt32(0)
    .appendTaggedFields();
}
