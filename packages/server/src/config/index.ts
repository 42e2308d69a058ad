export type { Machine } from './complete.ts';
export { publishUriOf } from './complete.ts';
export { configurationDocs, exampleFile, helpText } from './documents.ts';
export { type Action, requestedAction } from './entries.ts';
export type { LoadedConfig, LoadOptions } from './load.ts';
export { loadConfig } from './load.ts';
export type { GeneratedPassword, NodeFiles, NodeFilesDeps, RootPassword } from './node-files.ts';
export {
  findPasswordSecret,
  openNodeFiles,
  prepareDataDirectory,
  requireRestored,
  restoringFile,
} from './node-files.ts';
export type { NodeConfig, SettingKey } from './settings/index.ts';
export type { ClickHouseServer } from './value-types.ts';
export { type Product, readProduct } from './version.ts';
