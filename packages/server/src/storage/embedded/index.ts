export { EMBEDDED_TIERS, engineDirectory, lastColdDirectory } from './configuration.ts';
export type {
  EmbeddedEngine,
  EmbeddedEngineDeps,
  EmbeddedEngineSettings,
  EngineState,
} from './engine.ts';
export { createEmbeddedEngine } from './engine.ts';
export type { EngineEndpoint } from './engine-child.ts';
export type { EngineHost, EngineLibrary } from './library.ts';
export { currentEngineHost, findEngineLibrary } from './library.ts';
export { releaseLoadedPages } from './loaded-pages.ts';
export { findRunningEngine } from './running-engine.ts';
