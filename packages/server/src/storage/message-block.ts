/**
 * Messages as a block of ClickHouse's Native format, column by column, for the table of an index set.
 *
 * Appending never fails because of the content of a message: a number that does not fit its column is clamped to the column's
 * range. Everything is copied out of the message, at the latest by `settle`. The columns keep their memory from block to block.
 */
import {
  type FieldLayout,
  type FieldValue,
  type FrameShape,
  MAX_TIMESTAMP_MS,
  type Message,
  type MessageFrames,
  type MessageOrigin,
  MIN_TIMESTAMP_MS,
  type RoutingTarget,
  STAGED_TYPE,
} from '#core/index.ts';
import {
  createNativeBatch,
  JsonColumn,
  type JsonPath,
  LowCardinalityStringColumn,
  type NativeBatch,
} from './clickhouse/index.ts';
import { conversionsOf, type FieldConversion, type FieldTypes } from './field-conversion.ts';
import { TYPE_BITS, typeBit } from './known-fields.ts';
import {
  JoinedTextColumn,
  LargeNumberColumn,
  SameNumberColumn,
  SameTextColumn,
  SharedListColumn,
  SmallNumberColumn,
} from './message-columns.ts';
import { fieldNameOfPath, fieldPath } from './schema/fields.ts';
import { FIELDS_TYPE } from './schema/message-table.ts';
import { SeenFields } from './seen-fields.ts';

export interface MessageBlock {
  readonly rows: number;
  /** The approximate size of the encoded block. */
  readonly byteLength: number;
  /**
   * Whether another block should take this message. Every distinct field name costs a byte for each row, so a sender
   * that puts ids into field names makes blocks grow with the square of their rows, in the engine too.
   */
  isTooHeavyFor(message: Message): boolean;
  /** The names of all fields in the block. */
  readonly fieldNames: readonly string[];
  /** The size of the frames that the messages came from. */
  readonly frameBytes: number;
  /** Identifies the messages in the block: equal for the same messages in the same order, else different. */
  readonly fingerprint: string;
  /** A message that is still in its frame may stay there until `settle`. */
  append(message: Message, target: RoutingTarget): void;
  /** Before the frames of appended messages are gone. */
  settle(): void;
  /** From now on. Rows that are there stay as they are. */
  useFieldTypes(types: FieldTypes | undefined): void;
  /** The block in its own memory, with all rows in one index. See `NativeBatch` for `memory`. */
  encode(indexNumber: number, memory?: (bytes: number) => Buffer): Buffer;
  /** Drops the rows, keeps the memory. */
  clear(): void;
}

export interface MessageBlockConfig {
  readonly indexSetId: string;
  /** The id of this node. */
  readonly nodeId: string;
  /** Collects the fields of the messages; left out if nobody needs them. */
  readonly seenFields?: SeenFields;
  /** What fields are stored as, whatever senders made them. */
  readonly fieldTypes?: FieldTypes | undefined;
}

const MAX_INT32 = 2 ** 31 - 1;
const MAX_UINT16 = 2 ** 16 - 1;
const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;
/** Everything but texts, which are counted by their size: twice, as text and as field. */
const ROW_BYTES = 128;
/** What a field name costs independent of the rows: itself, its type, the memory of its values. */
const PATH_BYTES = 64;
/** Bytes that say which row has which field: as many as these are always allowed, … */
const LIGHT_TYPE_BYTES = 2 * 2 ** 20;
/** … and more only as long as the texts are not dwarfed by them. Windows events have 0.3 for each byte of text. */
const MAX_TYPE_BYTES_PER_TEXT_BYTE = 4;
const TIME_TYPE = "DateTime64(3, 'UTC')";

/** FNV-1a, over the offsets and partitions in the ids of the messages. */
const HASH_SEED = 0x811c9dc5;
const HASH_PRIME = 0x01000193;

/** The bit of each type of a staged value. */
const STAGED_TYPE_BITS = new Uint8Array(4);
STAGED_TYPE_BITS[STAGED_TYPE.number] = TYPE_BITS.number;
STAGED_TYPE_BITS[STAGED_TYPE.text] = TYPE_BITS.string;
STAGED_TYPE_BITS[STAGED_TYPE.boolean] = TYPE_BITS.boolean;

const NO_INDEX_SETS: readonly string[] = [];

/** A sender that always sends other fields, or to other streams, must not fill the memory with what was seen. */
const MAX_SEEN_LISTS = 16_384;

/** The types seen at each position of a layout, in messages of the same streams. */
type SeenTypes = Uint8Array;

/** How the fields of one layout are stored: a path for each position, and the types seen there. */
interface LayoutBinding {
  generation: number;
  readonly paths: JsonPath[];
  /** By position; undefined if values are stored as they are. */
  readonly conversions: readonly (FieldConversion | undefined)[] | undefined;
  /** The streams of the last message and what was seen in these: nearly always those of the next one too. */
  streamIds: readonly string[];
  seen: SeenTypes;
  /** By the list of streams, which messages share; undefined as long as there was only one. */
  seenIn: WeakMap<readonly string[], SeenTypes> | undefined;
}

export function createMessageBlock(config: MessageBlockConfig): MessageBlock {
  return new Block(config);
}

class Block implements MessageBlock {
  readonly #columns: Columns;
  readonly #batch: NativeBatch<Columns>;
  readonly #seen: SeenFields;
  #fieldTypes: FieldTypes | undefined;
  #bindings = new WeakMap<FieldLayout, LayoutBinding>();
  #seenLists = 0;
  #lastLayout: FieldLayout | undefined;
  #lastBinding: LayoutBinding | undefined;
  #hash = HASH_SEED;
  frameBytes = 0;
  /** Messages whose texts and fields are still in their frames. They are the last rows. */
  #frames: MessageFrames | undefined;
  readonly #framed: number[] = [];
  /** The size of their frames: about that of their texts. */
  #framedBytes = 0;
  /** The shapes of this block, with the streams in which their fields were seen last. */
  readonly #shapes = new Map<FrameShape, readonly string[]>();

  constructor(config: MessageBlockConfig) {
    this.#columns = createColumns(config.nodeId);
    this.#batch = createNativeBatch(this.#columns);
    this.#seen = config.seenFields ?? new SeenFields(config.indexSetId);
    this.#fieldTypes = config.fieldTypes;
  }

  useFieldTypes(types: FieldTypes | undefined): void {
    if (types === this.#fieldTypes) return;
    this.settle();
    this.#fieldTypes = types;
    this.#forgetBindings();
  }

  get rows(): number {
    return this.#batch.rows;
  }

  get byteLength(): number {
    const { fields, text } = this.#columns;
    const rows = this.#batch.rows;
    const textBytes = text.byteLength + this.#framedBytes;
    return textBytes * 2 + rows * ROW_BYTES + fields.pathCount * (rows + PATH_BYTES);
  }

  get fieldNames(): readonly string[] {
    return this.#columns.fields.pathNames.map(fieldNameOfPath);
  }

  isTooHeavyFor(message: Message): boolean {
    const { fields, text } = this.#columns;
    const rows = this.#batch.rows;
    if (rows === 0) return false;
    const typeBytes = (fields.pathCount + message.layout.size) * (rows + 1);
    const textBytes = text.byteLength + this.#framedBytes;
    return typeBytes > LIGHT_TYPE_BYTES && typeBytes > textBytes * MAX_TYPE_BYTES_PER_TEXT_BYTE;
  }

  get fingerprint(): string {
    return `${this.#batch.rows}-${(this.#hash >>> 0).toString(16)}`;
  }

  append(message: Message, target: RoutingTarget): void {
    const columns = this.#columns;
    const { idOffset: offset, idPartition: partition } = message;
    columns.index_number.rows += 1;
    columns.timestamp.append(storableTime(message.timestamp, message.receivedAt));
    columns.received_at.append(storableTime(message.receivedAt, 0));
    columns.id_partition.append(partition);
    columns.id_offset.append(offset);
    columns.source.append(message.source);
    columns.level.append(storableLevel(message.level));
    columns.streams.append(target.streamIds);
    columns.index_sets.append(target.indexSetIds.length > 1 ? target.indexSetIds : NO_INDEX_SETS);
    columns.node.rows += 1;
    appendOrigin(columns, message.origin);
    if (!this.#leaveInFrame(message, target.streamIds)) this.#appendContent(message, target.streamIds);
    this.#batch.endRow();
    this.frameBytes += message.size;
    this.#hash = Math.imul(this.#hash ^ offset, HASH_PRIME);
    // Messages of the same record differ in the partition of their ids.
    this.#hash = Math.imul(this.#hash ^ partition, HASH_PRIME);
  }

  #appendContent(message: Message, streamIds: readonly string[]): void {
    this.settle();
    const { text, message_length, full_message_length } = this.#columns;
    message_length.append(text.begin(message.message));
    const full = message.fullMessage;
    full_message_length.append(full === undefined || full === '' ? 0 : text.append(full));
    text.appendUnlessThere(message.source);
    this.#appendFields(message.layout, message.values, streamIds);
    text.end();
  }

  /** Whether texts and fields can wait for `settle`, which takes those of many messages at once. */
  #leaveInFrame(message: Message, streamIds: readonly string[]): boolean {
    const { frames, frameRow } = message;
    if (frames === undefined) return false;
    const shape = frames.shape(frameRow);
    if (this.#shapes.get(shape) !== streamIds && !this.#seeShape(shape, streamIds)) return false;
    if (frames !== this.#frames) {
      this.settle();
      this.#frames = frames;
    }
    this.#framed.push(frameRow);
    this.#framedBytes += message.size;
    return true;
  }

  /** False when fields of the shape have to be converted. */
  #seeShape(shape: FrameShape, streamIds: readonly string[]): boolean {
    const { layout, types } = shape;
    const binding = this.#bindingOf(layout, streamIds);
    if (binding.conversions !== undefined) return false;
    const seen = binding.streamIds === streamIds ? binding.seen : this.#seenIn(binding, streamIds);
    for (let position = 0; position < types.length; position++) {
      if (types[position] === STAGED_TYPE.none) continue;
      binding.paths[position]?.use();
      const bit = STAGED_TYPE_BITS[types[position] ?? 0] ?? 0;
      this.#see(layout, position, bit, seen, streamIds);
    }
    this.#shapes.set(shape, streamIds);
    return true;
  }

  settle(): void {
    const frames = this.#frames;
    if (frames === undefined) return;
    const { text, message_length, full_message_length, fields } = this.#columns;
    const staged = frames.stage(this.#framed, this.#framed.length);
    message_length.appendAll(staged.messageLengths);
    full_message_length.appendAll(staged.fullMessageLengths);
    text.appendRows(staged.texts, staged.count);
    for (const field of staged.fields) fields.path(fieldPath(field.name)).appendRun(fields.rows, field);
    fields.rows += staged.count;
    this.#forgetFramed();
  }

  #forgetFramed(): void {
    this.#frames = undefined;
    this.#framed.length = 0;
    this.#framedBytes = 0;
  }

  #appendFields(
    layout: FieldLayout,
    values: readonly (FieldValue | undefined)[],
    streamIds: readonly string[],
  ): void {
    const { fields, text } = this.#columns;
    const row = fields.rows;
    fields.endRow();
    if (values.length === 0) return;
    const binding = this.#bindingOf(layout, streamIds);
    const { paths, conversions } = binding;
    const seen = binding.streamIds === streamIds ? binding.seen : this.#seenIn(binding, streamIds);
    for (let position = 0; position < values.length; position++) {
      let value = values[position];
      if (value === undefined) continue;
      if (conversions !== undefined) value = conversions[position]?.(value) ?? value;
      const isAscii = typeof value === 'string' && text.appendUnlessThere(value);
      paths[position]?.append(row, typeof value === 'bigint' ? storableInteger(value) : value, isAscii);
      this.#see(layout, position, typeBit(value), seen, streamIds);
    }
  }

  #see(
    layout: FieldLayout,
    position: number,
    bit: number,
    seen: SeenTypes,
    streamIds: readonly string[],
  ): void {
    const known = seen[position] ?? 0;
    if ((known & bit) !== 0) return;
    seen[position] = known | bit;
    this.#seen.see(layout.names[position] ?? '', bit, streamIds);
  }

  #bindingOf(layout: FieldLayout, streamIds: readonly string[]): LayoutBinding {
    const { fields } = this.#columns;
    let binding = layout === this.#lastLayout ? this.#lastBinding : this.#bindings.get(layout);
    if (binding === undefined) {
      if (this.#seenLists >= MAX_SEEN_LISTS) this.#forgetBindings();
      const seen = this.#newSeenTypes(layout.size);
      binding = {
        generation: -1,
        paths: new Array(layout.size),
        conversions: conversionsOf(layout.names, this.#fieldTypes),
        streamIds,
        seen,
        seenIn: undefined,
      };
      this.#bindings.set(layout, binding);
    }
    if (binding.generation !== fields.generation) {
      binding.generation = fields.generation;
      const { names } = layout;
      for (let position = 0; position < names.length; position++) {
        binding.paths[position] = fields.path(fieldPath(names[position] ?? ''));
      }
    }
    this.#lastLayout = layout;
    this.#lastBinding = binding;
    return binding;
  }

  #seenIn(binding: LayoutBinding, streamIds: readonly string[]): SeenTypes {
    binding.seenIn ??= new WeakMap([[binding.streamIds, binding.seen]]);
    let seen = binding.seenIn.get(streamIds);
    if (seen === undefined) {
      if (this.#seenLists >= MAX_SEEN_LISTS) this.#forgetBindings();
      seen = this.#newSeenTypes(binding.seen.length);
      binding.seenIn.set(streamIds, seen);
    }
    binding.streamIds = streamIds;
    binding.seen = seen;
    return seen;
  }

  #newSeenTypes(size: number): SeenTypes {
    this.#seenLists += 1;
    return new Uint8Array(size);
  }

  /** What was seen is looked up again in `SeenFields`, which knows it. */
  #forgetBindings(): void {
    this.#shapes.clear();
    this.#bindings = new WeakMap();
    this.#lastLayout = undefined;
    this.#lastBinding = undefined;
    this.#seenLists = 0;
  }

  encode(indexNumber: number, memory?: (bytes: number) => Buffer): Buffer {
    this.settle();
    this.#columns.index_number.value = indexNumber;
    return this.#batch.encode(memory);
  }

  clear(): void {
    this.#batch.clear();
    this.#forgetFramed();
    this.#shapes.clear();
    this.frameBytes = 0;
    this.#hash = HASH_SEED;
  }
}

type Columns = ReturnType<typeof createColumns>;

/** The columns in the order and with the names and types of the table. */
function createColumns(nodeId: string) {
  return {
    index_number: new SameNumberColumn(),
    timestamp: new LargeNumberColumn(TIME_TYPE),
    received_at: new LargeNumberColumn(TIME_TYPE),
    id_partition: new LargeNumberColumn('UInt64'),
    id_offset: new LargeNumberColumn('UInt64'),
    source: new LowCardinalityStringColumn(),
    level: new SmallNumberColumn('Int32'),
    streams: new SharedListColumn(),
    index_sets: new SharedListColumn(),
    input: new LowCardinalityStringColumn(),
    node: new SameTextColumn(nodeId),
    remote_address: new LowCardinalityStringColumn(),
    remote_port: new SmallNumberColumn('UInt16'),
    message_length: new SmallNumberColumn('UInt32'),
    full_message_length: new SmallNumberColumn('UInt32'),
    text: new JoinedTextColumn(),
    fields: new JsonColumn(FIELDS_TYPE),
  };
}

function appendOrigin(columns: Columns, origin: MessageOrigin): void {
  columns.input.append(origin.inputId);
  columns.remote_address.append(origin.remoteAddress);
  const port = origin.remotePort;
  columns.remote_port.append(port >= 0 && port <= MAX_UINT16 ? Math.trunc(port) : 0);
}

function storableTime(time: number, otherwise: number): number {
  if (time >= MIN_TIMESTAMP_MS && time <= MAX_TIMESTAMP_MS) return Math.trunc(time);
  if (time < MIN_TIMESTAMP_MS) return MIN_TIMESTAMP_MS;
  return time > MAX_TIMESTAMP_MS ? MAX_TIMESTAMP_MS : otherwise;
}

function storableLevel(level: number): number {
  if (level >= 0 && level <= MAX_INT32) return Math.trunc(level);
  return level > MAX_INT32 ? MAX_INT32 : 0;
}

/** Integers beyond 64 bits are stored as text, so that no digit is lost. */
function storableInteger(value: bigint): FieldValue {
  return value >= MIN_INT64 && value <= MAX_INT64 ? value : value.toString();
}
