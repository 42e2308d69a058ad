import type { ComponentType } from './component-type.ts';

/** All types of one kind of component. A new type is its folder and a line in its kind's registry, or a plugin. */
export interface ComponentRegistry<Type> {
  /** In the order in which they are listed. */
  readonly types: readonly Type[];
  /** By short id, wire type or alias. */
  find(name: string): Type | undefined;
}

/** A registry that plugins can add to. There is one for each thread, filled before anything is created from it. */
export interface OpenComponentRegistry<Type> extends ComponentRegistry<Type> {
  readonly kind: string;
  /**
   * Adds a type. Built-in types come this way too, with the provider `BUILT_IN`. Throws a `NameClash` when a name is
   * taken: one of the two types could never be found. Returns a function that takes the type out again.
   */
  register(provider: string, type: Type): () => void;
  /** Who registered a type of this name. */
  providerOf(name: string): string | undefined;
}

/** The provider of everything that is part of the program. */
export const BUILT_IN = 'millrace';

export class NameClash extends Error {
  override readonly name = 'NameClash';
}

type Named = Pick<ComponentType, 'id' | 'wireType' | 'aliases'>;

/** @param types the built-in ones */
export function createComponentRegistry<Type extends Named>(
  kind: string,
  types: readonly Type[],
): OpenComponentRegistry<Type> {
  const byName = new Map<string, { readonly provider: string; readonly type: Type }>();
  let listed: readonly Type[] = [];

  function register(provider: string, type: Type): () => void {
    const names = new Set([type.id, type.wireType, ...type.aliases]);
    for (const name of names) {
      const taken = byName.get(name);
      if (taken !== undefined) throw new NameClash(clashText(kind, name, taken.provider));
    }
    for (const name of names) byName.set(name, { provider, type });
    listed = [...listed, type];
    return () => {
      for (const name of names) byName.delete(name);
      listed = listed.filter((each) => each !== type);
    };
  }

  for (const type of types) register(BUILT_IN, type);
  return {
    kind,
    get types() {
      return listed;
    },
    find: (name) => byName.get(name)?.type,
    providerOf: (name) => byName.get(name)?.provider,
    register,
  };
}

function clashText(kind: string, name: string, provider: string): string {
  const owner = provider === BUILT_IN ? 'is built in' : `comes from the plugin ${provider}`;
  return `two types of ${kind} are called ${JSON.stringify(name)}: the other one ${owner}`;
}
