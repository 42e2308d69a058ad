/**
 * ClickHouse's `Native` format for inserts: one block, column by column.
 *
 * Layout of a block (integers are little-endian, strings are a varint length and UTF-8 bytes):
 *
 *   varint number of columns, varint number of rows
 *   for every column: string name, string type, state prefix, values
 *
 * The state prefix is empty for simple types; `LowCardinality` and `JSON` have one, and an `Array` has that
 * of its elements before its own offsets. The layouts of the values are documented at the column classes.
 *
 * Fill a batch row by row: `append` once on every column, then `endRow`. Appending a value allocates nothing: columns
 * write into buffers that they keep between batches.
 */
import { ByteBuffer } from './byte-buffer.ts';

const SPARE_BYTES = 64 * 1024;
const SPARE_FACTOR = 1.2;
/** Rows may be far larger in one block than in the next. */
const MAX_EXPECTED_BYTES = 64 * 2 ** 20;

/** One column of a batch. */
export interface NativeColumn {
  /** As in the table, for example `LowCardinality(String)`. */
  readonly type: string;
  /** Number of rows appended since the last `clear`. */
  readonly rows: number;
  writePrefix(out: ByteBuffer): void;
  writeValues(out: ByteBuffer): void;
  clear(): void;
}

/** A set of columns that are filled together and sent as one block. */
export interface NativeBatch<Columns extends Readonly<Record<string, NativeColumn>>> {
  readonly columns: Columns;
  readonly rows: number;
  endRow(): void;
  /**
   * The block, in its own memory, so that it can be sent again after the batch is used for other rows.
   * Throws if a column does not have as many values as there are rows.
   *
   * @param memory gives at least so many bytes; what does not fit is put elsewhere
   */
  encode(memory?: (bytes: number) => Buffer): Buffer;
  /** Drops all rows, keeps the memory. */
  clear(): void;
}

/** The names of the columns are the keys of the object, in its order. */
export function createNativeBatch<Columns extends Readonly<Record<string, NativeColumn>>>(
  columns: Columns,
): NativeBatch<Columns> {
  const named = Object.entries(columns);
  let rows = 0;
  let bytesPerRow = 0;

  return {
    columns,
    get rows() {
      return rows;
    },
    endRow() {
      rows++;
    },
    encode(memory = Buffer.allocUnsafeSlow) {
      // Growing would copy the block several times, so there is room for a somewhat larger one than the last.
      const expected = Math.ceil(rows * bytesPerRow * SPARE_FACTOR);
      const out = new ByteBuffer(memory(SPARE_BYTES + Math.min(expected, MAX_EXPECTED_BYTES)));
      out.appendVarint(named.length);
      out.appendVarint(rows);
      for (const [name, column] of named) {
        if (column.rows !== rows) {
          throw new Error(`column ${name} has ${column.rows} values in a batch of ${rows} rows`);
        }
        out.appendString(name);
        out.appendString(column.type);
        // A block without rows ends here for every column.
        if (rows === 0) continue;
        column.writePrefix(out);
        column.writeValues(out);
      }
      bytesPerRow = rows === 0 ? bytesPerRow : out.length / rows;
      return out.bytes.subarray(0, out.length);
    },
    clear() {
      rows = 0;
      for (const [, column] of named) column.clear();
    },
  };
}
