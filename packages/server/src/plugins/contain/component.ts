import { type ComponentType, InvalidConfiguration } from '#core/index.ts';
import type { PluginGuard } from '../guard.ts';

/** The calls that all kinds of components have. What `create` makes is contained by the kind. */
export function containComponent<Context, Instance>(
  type: ComponentType<Context, Instance>,
  guard: PluginGuard,
  containInstance: (instance: Instance) => Instance,
  { createEvenWhenOff = false } = {},
): Pick<ComponentType<Context, Instance>, 'problemsOf' | 'complete' | 'create'> {
  const inspecting = { evenWhenOff: true };
  return {
    problemsOf: (raw) => guard.call(`the check of ${type.id}`, () => type.problemsOf(raw), inspecting),
    complete: (raw) => guard.call(`the check of ${type.id}`, () => type.complete(raw), inspecting),
    create(context, raw) {
      const created = guard.call(`creating ${type.id}`, () => type.create(context, raw), {
        evenWhenOff: createEvenWhenOff,
      });
      return created instanceof InvalidConfiguration ? created : containInstance(created);
    },
  };
}
