export { ByteBuffer } from './byte-buffer.ts';
export type { ClickHouse, ReadOptions } from './client.ts';
export { createClickHouse, missingError } from './client.ts';
export { clickHouseErrorCode, isDataError, isMemoryLimitError, isUnreachable } from './errors.ts';
export { FAILED_WRITES_STATEMENT, INSTANCE_MACRO } from './hidden-write-failures.ts';
export type { NativeBatch, NativeColumn } from './native.ts';
export { createNativeBatch } from './native.ts';
export {
  BoolColumn,
  Float64Column,
  Int64Column,
  LowCardinalityStringColumn,
  StringColumn,
} from './native-columns.ts';
export { JsonColumn, type JsonPath, type JsonValue } from './native-json.ts';
export { type NativeFields, type NativeValue, type ReadBlock, readNativeBlock } from './native-reader.ts';
export { answeringReplica, replicasOf } from './replicas.ts';
export type { ReadProgress } from './row-stream.ts';
export type {
  ClickHouseEndpoint,
  ClickHouseOptions,
  ClickHouseServer,
  ClickHouseSettings,
  NativeInsert,
  Replication,
  StatementOptions,
} from './server.ts';
export { qualifiedName, quoteIdentifier } from './server.ts';
export { acrossShards, onOneServer } from './shards.ts';
