import type { HostContext, Input, InputType } from '#inputs/index.ts';
import type { PluginGuard } from '../guard.ts';
import { containComponent } from './component.ts';

/** The host starts an input again that fails; while its plugin is switched off, that fails with the reason. */
export function containInput(type: InputType, guard: PluginGuard): InputType {
  const { sendTest } = type;
  const { problemsOf, complete } = containComponent(type, guard, (input) => input);
  return {
    ...type,
    problemsOf,
    complete,
    create(context, raw) {
      const contained = containComponent(type, guard, (input) =>
        containInstance(type.id, input, context, guard),
      );
      return contained.create(context, raw);
    },
    sendTest:
      sendTest &&
      ((listening, message, raw) =>
        guard.run(`the test message of ${type.id}`, () => sendTest(listening, message, raw))),
  };
}

function containInstance(id: string, input: Input, context: HostContext, guard: PluginGuard): Input {
  let forget: (() => void) | undefined;
  return {
    async start() {
      const listening = await guard.run(`starting ${id}`, () => input.start());
      forget = guard.onOff(context.failed);
      return listening;
    },
    async stop() {
      forget?.();
      // Also while the plugin is switched off: it must let go of its port.
      await guard.call(`stopping ${id}`, () => input.stop(), { evenWhenOff: true });
    },
  };
}
