import {
  type AllowedTargets,
  type Clock,
  type ComponentDefinition,
  type ComponentType,
  type ConfigurationFields,
  defineComponent,
} from '#core/index.ts';
import type { LookupFiles } from './files.ts';
import type { FetchedAnswer } from './remote/answer-cache.ts';
import type { LookupChange } from './remote/change.ts';
import type { LoadedSource } from './source.ts';
import type { StoredEntries } from './stored-entries.ts';

/**
 * A data adapter knows where the values of a table are. It runs on the main thread. One kind loads everything and gives
 * it to the workers, the other is asked for one key at a time.
 */
export type LookupAdapter = LoadingAdapter | RemoteAdapter;

export interface LoadingAdapter {
  readonly kind: 'loading';
  /** How often to call `load` again; never without. */
  readonly refreshMs?: number;
  /** Loads everything. Undefined: nothing has changed since the last time. Rejects with an error that people understand. */
  load(): Promise<LoadedSource | undefined>;
}

export interface RemoteAdapter {
  readonly kind: 'remote';
  /** How many keys it is asked for at the same time. */
  readonly maxConcurrent: number;
  /** Whether an answer that has expired is used until there is a new one. */
  readonly usesExpired: boolean;
  /** Within a bounded time. Rejects with an error that people understand. */
  fetch(key: string): Promise<FetchedAnswer>;
  /** Without it, rules cannot change it. Called for one change after the other. */
  change?(key: string, change: LookupChange): Promise<FetchedAnswer>;
  /** Ends what is under way. */
  close?(): void;
}

export interface AdapterContext {
  readonly files: LookupFiles;
  /** Which addresses it may call. */
  readonly targets: AllowedTargets;
  readonly entries: StoredEntries;
  readonly clock: Clock;
  /** Of this adapter. */
  readonly adapterId: string;
}

export type AdapterType = ComponentType<AdapterContext, LookupAdapter>;

/** Types are called by their short name on the wire, as Graylog does. */
export function defineAdapter<Fields extends ConfigurationFields>(
  definition: Omit<ComponentDefinition<Fields, AdapterContext, LookupAdapter>, 'wireType'>,
): AdapterType {
  return defineComponent({ ...definition, wireType: definition.id });
}
