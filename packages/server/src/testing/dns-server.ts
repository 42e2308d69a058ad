import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';

/** A record as a DNS server sends it. */
export interface DnsTestRecord {
  readonly type: 'A' | 'AAAA' | 'PTR' | 'TXT';
  readonly ttl: number;
  readonly data: string;
}

export interface DnsTestServer {
  /** Records by name. A name that is not there does not exist. */
  readonly records: Map<string, readonly DnsTestRecord[]>;
  /** Names that were asked for. */
  readonly asked: string[];
  readonly address: string;
  close(): void;
}

const TYPES: Readonly<Record<DnsTestRecord['type'], number>> = { A: 1, PTR: 12, TXT: 16, AAAA: 28 };
const NO_SUCH_NAME = 3;

/** A real DNS server on a port of its own, for what adapters ask. */
export async function startDnsTestServer(): Promise<DnsTestServer> {
  const socket: Socket = createSocket('udp4');
  const records = new Map<string, readonly DnsTestRecord[]>();
  const asked: string[] = [];
  socket.on('message', (query, { address, port }) => {
    const { name, type, end } = questionOf(query);
    asked.push(name);
    const found = records.get(name);
    const answers = (found ?? []).filter((record) => TYPES[record.type] === type);
    const header = Buffer.alloc(12);
    header.writeUInt16BE(query.readUInt16BE(0), 0);
    header.writeUInt16BE(0x8180 | (found === undefined ? NO_SUCH_NAME : 0), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(answers.length, 6);
    socket.send(Buffer.concat([header, query.subarray(12, end), ...answers.map(recordBytes)]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { records, asked, address: `127.0.0.1:${socket.address().port}`, close: () => socket.close() };
}

function questionOf(query: Buffer) {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function recordBytes({ type, ttl, data }: DnsTestRecord): Buffer {
  const content = contentOf(type, data);
  const head = Buffer.alloc(12);
  // The name of the question.
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(TYPES[type], 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(ttl, 6);
  head.writeUInt16BE(content.length, 10);
  return Buffer.concat([head, content]);
}

function contentOf(type: DnsTestRecord['type'], data: string): Buffer {
  switch (type) {
    case 'A':
      return Buffer.from(data.split('.').map(Number));
    case 'AAAA':
      return Buffer.from(
        data
          .split(':')
          .flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]),
      );
    case 'TXT':
      return Buffer.concat([Buffer.from([data.length]), Buffer.from(data)]);
    case 'PTR':
      return Buffer.concat([
        ...data.split('.').map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)])),
        Buffer.from([0]),
      ]);
  }
}
