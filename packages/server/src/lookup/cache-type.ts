import {
  type ComponentType,
  type ConfigurationFields,
  type ConfigurationOf,
  defineComponent,
} from '#core/index.ts';

/** How long answers of remote adapters are kept. What adapters load as a whole is in memory anyway. */
export interface CachePolicy {
  readonly maxEntries: number;
  /** Infinity: for ever. */
  readonly afterAccessMs: number;
  readonly afterWriteMs: number;
  /** For keys without a value. */
  readonly emptyAfterWriteMs: number;
}

/** Nothing is kept for less time than this: a rule only ever sees answers that were kept. */
export const MIN_KEPT_MS = 1000;

export type CacheType = ComponentType<undefined, CachePolicy>;

interface CacheDefinition<Fields extends ConfigurationFields> {
  readonly id: string;
  readonly aliases?: readonly string[];
  readonly name: string;
  readonly description: string;
  readonly fields: Fields;
  policy(config: ConfigurationOf<Fields>): CachePolicy;
}

export function defineCache<Fields extends ConfigurationFields>({
  policy,
  ...definition
}: CacheDefinition<Fields>): CacheType {
  return defineComponent<Fields, undefined, CachePolicy>({
    ...definition,
    wireType: definition.id,
    create: (_context, config) => policy(config),
  });
}
