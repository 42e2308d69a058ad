/**
 * Reads a file in the MaxMind DB format that may be damaged, or made to do harm: pointers let a few bytes stand for more
 * values than fit into memory, so every value that is decoded has bounds. The library decodes without any.
 */
import { createRequire } from 'node:module';
import type decoderModule from 'mmdb-lib/lib/decoder.js';
import type ipModule from 'mmdb-lib/lib/ip.js';
import type walkerModule from 'mmdb-lib/lib/reader/walker.js';

// Tools disagree on what the default import of such a CommonJS module is; `require` is the same everywhere.
const require = createRequire(import.meta.url);
const { default: Decoder } = require('mmdb-lib/lib/decoder.js') as typeof decoderModule;
const { default: ip } = require('mmdb-lib/lib/ip.js') as typeof ipModule;
const { default: walkerOf } = require('mmdb-lib/lib/reader/walker.js') as typeof walkerModule;

export interface MmdbFile {
  /** Null or undefined: nothing is known of the address. Throws when the record is damaged or beyond the bounds. */
  get(address: string): unknown;
}

/** Records of real databases have about a hundred values. */
const MAX_VALUES = 10_000;
const MAX_TEXT_BYTES = 1024 * 1024;
const MAX_DEPTH = 64;

const MARKER = Buffer.concat([Buffer.from([0xab, 0xcd, 0xef]), Buffer.from('MaxMind.com')]);
/** The format says that the metadata is in the last 128 KiB. */
const MAX_METADATA_BYTES = 128 * 1024;
/** Between the tree and the data. */
const SEPARATOR_BYTES = 16;

const TYPES = { pointer: 1, text: 2, bytes: 4, map: 7, array: 11 } as const;

class BoundedDecoder extends Decoder {
  readonly #bytes: Buffer;
  #values = 0;
  #textBytes = 0;
  #depth = 0;

  constructor(bytes: Buffer, base: number) {
    super(bytes, base);
    this.#bytes = bytes;
  }

  value(offset: number): unknown {
    this.#values = 0;
    this.#textBytes = 0;
    this.#depth = 0;
    return this.decode(offset).value;
  }

  /** The library calls it for every value inside another one too. */
  override decode(offset: number): ReturnType<InstanceType<typeof Decoder>['decode']> {
    this.#admit(offset);
    this.#depth += 1;
    const decoded = super.decode(offset);
    this.#depth -= 1;
    return decoded;
  }

  #admit(offset: number): void {
    const control = this.#bytes[offset];
    if (control === undefined) throw new Error('a value is outside of the file');
    this.#values += 1;
    const isExtended = control >> 5 === 0;
    const type = isExtended ? (this.#bytes[offset + 1] ?? 0) + 7 : control >> 5;
    const size = type === TYPES.pointer ? 0 : this.#sizeOf(control, offset + (isExtended ? 2 : 1));
    if (type === TYPES.text || type === TYPES.bytes) this.#textBytes += size;
    // The library makes room for all elements before it decodes the first.
    const isTooLong = (type === TYPES.array || type === TYPES.map) && size > MAX_VALUES;
    if (isTooLong || this.#values > MAX_VALUES)
      throw new Error(`a record has more than ${MAX_VALUES} values`);
    if (this.#textBytes > MAX_TEXT_BYTES)
      throw new Error(`a record has more than ${MAX_TEXT_BYTES} bytes of text`);
    if (this.#depth > MAX_DEPTH) throw new Error(`a record is nested more than ${MAX_DEPTH} deep`);
  }

  #sizeOf(control: number, offset: number): number {
    const size = control & 0x1f;
    if (size < 29) return size;
    const more = size - 28;
    return (SIZES_FROM[more] ?? 0) + this.#bytes.readUIntBE(offset, more);
  }
}

/** The smallest size that is written with one, two and three bytes more. */
const SIZES_FROM = [0, 29, 285, 65_821];

/** Throws for a file that is not such a database. */
export function openMmdbFile(bytes: Buffer): MmdbFile {
  const { nodeCount, recordSize, ipVersion } = metadataOf(bytes);
  const tree = walkerOf(bytes, recordSize);
  const nodeBytes = recordSize / 4;
  const treeBytes = nodeCount * nodeBytes;
  const records = new BoundedDecoder(bytes, treeBytes + SEPARATOR_BYTES);
  const next = (node: number, bit: number) => (bit === 0 ? tree.left : tree.right)(node * nodeBytes);

  /** IPv4 addresses are the IPv6 addresses that begin with 96 zeros. */
  let firstOfIpv4 = 0;
  for (let depth = 0; ipVersion === 6 && depth < 96 && firstOfIpv4 < nodeCount; depth++)
    firstOfIpv4 = next(firstOfIpv4, 0);

  return {
    get(address) {
      const raw = shortest(ip.parse(address));
      // Its bits would be taken for those of some IPv4 address.
      if (raw.length === 16 && ipVersion === 4) return null;
      let node = raw.length === 4 ? firstOfIpv4 : 0;
      for (let depth = 0; depth < raw.length * 8 && node < nodeCount; depth++)
        node = next(node, ip.bitAt(raw, depth));
      return node > nodeCount ? records.value(node - nodeCount + treeBytes) : null;
    },
  };
}

/** An IPv4 address that is written as IPv6, such as `::ffff:192.0.2.1`, is the IPv4 address. */
function shortest(raw: number[]): number[] {
  const isMapped =
    raw.length === 16 && raw.slice(0, 12).every((byte, index) => byte === (index < 10 ? 0 : 0xff));
  return isMapped ? raw.slice(12) : raw;
}

function metadataOf(bytes: Buffer) {
  const end = bytes.subarray(-MAX_METADATA_BYTES);
  const found = end.lastIndexOf(MARKER);
  if (found < 0) throw new Error('it has no metadata');
  const start = bytes.length - end.length + found + MARKER.length;
  const metadata = new BoundedDecoder(bytes, start).value(start);
  const {
    node_count: nodeCount,
    record_size: recordSize,
    ip_version: ipVersion,
  } = (metadata ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof nodeCount !== 'number' || typeof recordSize !== 'number' || typeof ipVersion !== 'number')
    throw new Error('its metadata is not complete');
  if (nodeCount * (recordSize / 4) > bytes.length) throw new Error('it is not complete');
  return { nodeCount, recordSize, ipVersion };
}
