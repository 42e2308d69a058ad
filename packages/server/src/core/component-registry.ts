import type { ComponentType } from './component-type.ts';

/** All types of one kind of component. A new type is its folder and a line in its kind's registry. */
export interface ComponentRegistry<Type> {
  /** In the order in which they are listed. */
  readonly types: readonly Type[];
  /** By short id, wire type or alias. */
  find(name: string): Type | undefined;
}

type Named = Pick<ComponentType, 'id' | 'wireType' | 'aliases'>;

/** Throws when two types share a name: one of them could never be found. */
export function createComponentRegistry<Type extends Named>(
  kind: string,
  types: readonly Type[],
): ComponentRegistry<Type> {
  const byName = new Map<string, Type>();
  for (const type of types) {
    for (const name of new Set([type.id, type.wireType, ...type.aliases])) {
      if (byName.has(name)) throw new Error(`two types of ${kind} are called ${JSON.stringify(name)}`);
      byName.set(name, type);
    }
  }
  return { types, find: (name) => byName.get(name) };
}
