/**
 * A database in the MaxMind DB format, small enough to write by hand: a tree of one node. Addresses whose first bit is
 * set, such as 128.0.0.0/1, have the record; the others have none.
 */
export function testMmdb(
  record: Readonly<Record<string, unknown>> | Encoded,
  more: Readonly<Record<string, unknown>> = {},
): Buffer {
  const nodeCount = 1;
  const nothing = nodeCount;
  // Pointers into the data count from the end of the tree, with 16 bytes of separator before the data.
  const first = nodeCount + 16;
  const tree = Buffer.alloc(6);
  tree.writeUIntBE(nothing, 0, 3);
  tree.writeUIntBE(first, 3, 3);
  const metadata = {
    binary_format_major_version: uint(5, 2),
    binary_format_minor_version: uint(5, 0),
    build_epoch: uint(9, 1_700_000_000),
    database_type: 'Test',
    description: { en: 'Test' },
    ip_version: uint(5, 4),
    languages: ['en'],
    node_count: uint(6, nodeCount),
    record_size: uint(5, 24),
    ...more,
  };
  const marker = Buffer.concat([Buffer.from([0xab, 0xcd, 0xef]), Buffer.from('MaxMind.com')]);
  return Buffer.concat([tree, Buffer.alloc(16), encoded(record), marker, encoded(metadata)]);
}

/** Bytes that are a value already, whatever they mean. */
export class Encoded {
  readonly bytes: Buffer;
  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }
}

/** An unsigned integer of this type number. */
export function uint(type: number, value: number): Encoded {
  const digits = value === 0 ? '' : value.toString(16);
  const bytes = Buffer.from(digits.length % 2 === 1 ? `0${digits}` : digits, 'hex');
  return new Encoded(Buffer.concat([control(type, bytes.length), bytes]));
}

function control(type: number, size: number): Buffer {
  return type < 8 ? Buffer.from([(type << 5) | size]) : Buffer.from([size, type - 7]);
}

function encoded(value: unknown): Buffer {
  if (value instanceof Encoded) return value.bytes;
  if (typeof value === 'string') {
    const bytes = Buffer.from(value);
    return Buffer.concat([control(2, bytes.length), bytes]);
  }
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleBE(value);
    return Buffer.concat([control(3, 8), bytes]);
  }
  if (Array.isArray(value)) return Buffer.concat([control(11, value.length), ...value.map(encoded)]);
  const entries = Object.entries(value as object);
  return Buffer.concat([
    control(7, entries.length),
    ...entries.flatMap(([name, each]) => [encoded(name), encoded(each)]),
  ]);
}
