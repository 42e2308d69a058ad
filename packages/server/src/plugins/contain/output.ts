import { createJsonEncoder } from '#codecs/index.ts';
import { errorMessage, InvalidConfiguration, type Message } from '#core/index.ts';
import {
  type Encoding,
  type Output,
  type OutputContext,
  type OutputPlan,
  type OutputType,
  RefusedError,
} from '#outputs/index.ts';
import { isOwnEncoding } from '../encodings.ts';
import { PluginError } from '../fault.ts';
import type { PluginGuard } from '../guard.ts';
import { containComponent } from './component.ts';

/**
 * Messages wait in the queue of an output whose plugin fails or is switched off. Only a message that the plugin's own
 * encoder fails on cannot wait as what it should become: it goes to the stream of failures.
 */
export function containOutput(type: OutputType, guard: PluginGuard): OutputType {
  return {
    ...type,
    ...containComponent(type, guard, (output) => output),
    create(context, raw) {
      const problems = guard.call(`the check of ${type.id}`, () => type.problemsOf(raw), {
        evenWhenOff: true,
      });
      return problems.length > 0
        ? new InvalidConfiguration(problems)
        : containInstance(type, context, raw, guard);
    },
    plan(raw) {
      try {
        const plan = guard.call(`the plan of ${type.id}`, () => requireNumbers(type.plan(raw)), {
          evenWhenOff: true,
        });
        if (plan instanceof InvalidConfiguration) return plan;
        return { ...plan, encoding: containEncoding(type.id, plan.encoding, guard) };
      } catch (error) {
        return new InvalidConfiguration([{ path: 'type', message: errorMessage(error) }]);
      }
    },
  };
}

/** Delivery counts with them: a batch of no messages is never full, and the worker would wait for it for ever. */
function requireNumbers(plan: OutputPlan | InvalidConfiguration): OutputPlan | InvalidConfiguration {
  if (plan instanceof InvalidConfiguration) return plan;
  const { limits, retryDelayMs } = plan;
  requireNumber('messages', limits.messages, 1);
  requireNumber('bytes', limits.bytes, 1);
  requireNumber('lingerMs', limits.lingerMs, 0);
  requireNumber('retryDelayMs', retryDelayMs, 0);
  return {
    ...plan,
    limits: { ...limits, messages: Math.floor(limits.messages) },
    // The pause doubles with each attempt, and nothing would stay nothing.
    retryDelayMs: Math.max(1, retryDelayMs),
  };
}

function requireNumber(name: string, value: unknown, minimum: number): void {
  if (typeof value === 'number' && value >= minimum) return;
  throw new TypeError(`its ${name} is ${String(value)}; expected a number from ${minimum} on`);
}

/** Created when it connects, where a failure only means another attempt. */
function containInstance(
  type: OutputType,
  context: OutputContext,
  raw: Parameters<OutputType['create']>[1],
  guard: PluginGuard,
): Output {
  let output: Output | undefined;

  function created(): Output {
    const made = output ?? guard.call(`creating ${type.id}`, () => type.create(context, raw));
    if (made instanceof InvalidConfiguration) throw new Error(made.text);
    output = made;
    return made;
  }

  return {
    get confirmAfterMs() {
      return output?.confirmAfterMs ?? 0;
    },
    async connect(signal) {
      const made = created();
      if (made.connect !== undefined)
        await guard.run(`connecting ${type.id}`, async () => made.connect?.(signal));
    },
    async send(messages, signal) {
      if (guard.isOff()) throw new PluginError(guard.offText);
      if (messages.some(({ payload }) => isUnencoded(payload))) {
        throw new RefusedError(`the plugin ${guard.plugin} could not encode it`);
      }
      await guard.run(`sending with ${type.id}`, async () => created().send(messages, signal));
    },
    async close(signal) {
      const made = output;
      if (made === undefined || guard.isOff()) return false;
      // Nobody would try again: what is under way is sent by the next one.
      return guard.run(`closing ${type.id}`, async () => made.close(signal)).catch(() => false);
    },
  };
}

const UNENCODED = Buffer.from('\u0000not encoded\u0000');

function isUnencoded(payload: Buffer): boolean {
  return payload.subarray(0, UNENCODED.length).equals(UNENCODED);
}

function containEncoding(id: string, encoding: Encoding, guard: PluginGuard): Encoding {
  if (isOwnEncoding(encoding)) return encoding;
  return {
    key: `${guard.plugin}:${id}:${encoding.key}`,
    create() {
      const substitute = createJsonEncoder({ serverFields: true });
      const unencoded = (message: Message) => Buffer.concat([UNENCODED, substitute.encode(message)]);
      let encoder: ReturnType<Encoding['create']> | undefined;
      return {
        encode(message) {
          // An encoder of others may keep it for later.
          message.detach();
          try {
            return guard.call(`encoding with ${id}`, () => {
              encoder ??= encoding.create();
              const payload = encoder.encode(message);
              if (!Buffer.isBuffer(payload)) throw new TypeError('encode did not return a Buffer');
              return payload;
            });
          } catch {
            return unencoded(message);
          }
        },
      };
    },
  };
}
