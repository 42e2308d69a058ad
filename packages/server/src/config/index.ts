export type { Machine } from './complete.ts';
export { publishUriOf } from './complete.ts';
export { type Action, requestedAction } from './entries.ts';
export type { LoadedConfig, LoadOptions } from './load.ts';
export { loadConfig } from './load.ts';
export type { NodeConfig, SettingKey } from './settings/index.ts';
export type { Address, ClickHouseServer } from './value-types.ts';
