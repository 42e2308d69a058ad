import type { Registered, Seam, Seams } from '../plugins/loading/seams.ts';

/** Seams that remember what was registered: files of tests share the registries, so each takes its own out again. */
export function undoableSeams(seams: Seams): { readonly seams: Seams; undo(): void } {
  const registered: Registered[] = [];
  const remembering = (register: Seam): Seam => {
    return (definition, guard) => {
      const added = register(definition, guard);
      registered.push(added);
      return added;
    };
  };
  return {
    seams: Object.fromEntries(Object.entries(seams).map(([kind, each]) => [kind, remembering(each)])),
    undo() {
      for (const each of registered.splice(0)) each.unregister();
    },
  };
}
