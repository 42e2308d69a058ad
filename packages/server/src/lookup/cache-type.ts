import {
  type ComponentType,
  type ConfigurationFields,
  type ConfigurationOf,
  defineComponent,
} from '#core/index.ts';

export type CacheType = ComponentType<undefined, ConfigurationOf<ConfigurationFields>>;

interface CacheDefinition<Fields extends ConfigurationFields> {
  readonly id: string;
  readonly aliases?: readonly string[];
  readonly name: string;
  readonly description: string;
  readonly fields: Fields;
}

/** A cache is its configuration: what adapters load as a whole is in memory anyway. */
export function defineCache<Fields extends ConfigurationFields>(
  definition: CacheDefinition<Fields>,
): CacheType {
  return defineComponent<Fields, undefined, ConfigurationOf<ConfigurationFields>>({
    ...definition,
    wireType: definition.id,
    create: (_context, config) => config,
  });
}
