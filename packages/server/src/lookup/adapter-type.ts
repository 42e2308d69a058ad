import {
  type ComponentDefinition,
  type ComponentType,
  type ConfigurationFields,
  defineComponent,
} from '#core/index.ts';
import type { LookupFiles } from './files.ts';
import type { LookupSource } from './source.ts';

/**
 * A data adapter knows where the values of a table are. It runs on the main thread; workers get what it has loaded.
 */
export interface LookupAdapter {
  /** How often to call `load` again; never without. */
  readonly refreshMs?: number;
  /** Loads everything. Undefined: nothing has changed since the last time. Rejects with an error that people understand. */
  load(): Promise<LookupSource | undefined>;
}

export interface AdapterContext {
  readonly files: LookupFiles;
}

export type AdapterType = ComponentType<AdapterContext, LookupAdapter>;

/** Types are called by their short name on the wire, as Graylog does. */
export function defineAdapter<Fields extends ConfigurationFields>(
  definition: Omit<ComponentDefinition<Fields, AdapterContext, LookupAdapter>, 'wireType'>,
): AdapterType {
  return defineComponent({ ...definition, wireType: definition.id });
}
