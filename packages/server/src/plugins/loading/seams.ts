/**
 * Where components of plugins are registered. Each kind has one seam: the registry that also holds the built-in types,
 * the function that makes a type of a definition, which built-in types use as well, and what contains a plugin's type.
 */
import { CODECS, type Codec, defineCodec } from '#codecs/index.ts';
import type { ComponentType, OpenComponentRegistry } from '#core/index.ts';
import { defineInputType, INPUT_TYPES } from '#inputs/index.ts';
import { defineOutputType, OUTPUT_TYPES } from '#outputs/index.ts';
import { defineFunction, registerFunction } from '#processing/rules/index.ts';
import { registerRuleType } from '#streams/index.ts';
import { containCodec } from '../contain/codec.ts';
import { containInput } from '../contain/input.ts';
import { containOutput } from '../contain/output.ts';
import { containStreamRule, type StreamRuleDefinition } from '../contain/stream-rule.ts';
import type { PluginKind } from '../definition.ts';
import type { PluginGuard } from '../guard.ts';

/** Registers one component. Throws when its definition is not valid or its name is taken. */
export type Seam = (definition: object, guard: PluginGuard) => Registered;

export interface Registered {
  /** The name in the API. */
  readonly wireType: string;
  readonly unregister: () => void;
}

export type Seams = Readonly<Partial<Record<PluginKind, Seam>>>;

/** @param define its definition is whatever the plugin has given: the kinds check what they need */
export function seam<Type extends ComponentType>(
  registry: OpenComponentRegistry<Type>,
  define: (definition: never) => Type,
  contain: (type: Type, guard: PluginGuard) => Type,
): Seam {
  return (definition, guard) => {
    const named = { wireType: (definition as { id: string }).id, ...definition };
    const type = define(named as never);
    const unregister = registry.register(guard.plugin, contain(type, guard));
    return { wireType: type.wireType, unregister };
  };
}

/** Numbers of codecs in the journal: those below are ours, those above are for tests. */
export const PLUGIN_CODEC_NUMBERS = { first: 128, last: 239 };

function defineNumberedCodec(definition: Parameters<typeof defineCodec>[0]): Codec {
  const { journalId, id } = definition;
  const { first, last } = PLUGIN_CODEC_NUMBERS;
  if (!Number.isInteger(journalId) || journalId < first || journalId > last) {
    throw new Error(
      `the codec ${id} has the journalId ${JSON.stringify(journalId)}; plugins use ${first} to ${last}`,
    );
  }
  const other = CODECS.types.find((codec) => codec.journalId === journalId);
  if (other !== undefined) {
    throw new Error(`the codec ${id} has the journalId ${journalId}, and so has the codec ${other.id}`);
  }
  return defineCodec(definition);
}

type InputDefinition = Omit<Parameters<typeof defineInputType>[0], 'codec'> & { readonly codec: string };

/** The codec is found by name, so that it is the contained one. */
function defineInputByCodec({ codec: name, ...definition }: InputDefinition) {
  const codec = CODECS.find(name);
  if (codec === undefined) {
    const known = CODECS.types.map(({ id }) => id).join(', ');
    throw new Error(`the input ${definition.id} needs the codec ${JSON.stringify(name)}; there are ${known}`);
  }
  return defineInputType({ ...definition, codec });
}

type AnyFunction = Parameters<typeof defineFunction>[0];

/**
 * Its time is limited by that of the rule that calls it, as for regular expressions, and not by the guard: the limit of
 * rules interrupts a call in a way that the guard would not notice.
 */
function functionSeam(given: object, guard: PluginGuard): Registered {
  const definition = given as AnyFunction;
  const call = (...args: Parameters<AnyFunction['call']>) =>
    guard.call(`the function ${definition.name}`, () => definition.call(...args), { isUnwatched: true });
  const contained = { ...definition, ...containedCheck(definition, guard), call };
  return { wireType: definition.name, unregister: registerFunction(defineFunction(contained)) };
}

/** A check that fails finds no problems: the rule can be saved, and those of other plugins are compiled. */
function containedCheck(definition: AnyFunction, guard: PluginGuard): Pick<AnyFunction, 'checkConstants'> {
  if (definition.checkConstants === undefined) return {};
  return {
    checkConstants(constants) {
      try {
        return guard.call(`the check of constants of the function ${definition.name}`, () => {
          const problems = definition.checkConstants?.(constants);
          if (!Array.isArray(problems)) throw new TypeError('checkConstants did not return an array');
          return problems.map(({ parameter, message, hint }) => ({
            parameter: String(parameter),
            message: String(message),
            ...(hint !== undefined && { hint: String(hint) }),
          }));
        });
      } catch {
        return [];
      }
    },
  };
}

function streamRuleSeam(given: object, guard: PluginGuard): Registered {
  const type = containStreamRule(given as StreamRuleDefinition, guard);
  return { wireType: String(type.id), unregister: registerRuleType(type) };
}

/** The kinds that run in workers. The main thread shows and checks them too. */
export const WORKER_SEAMS = {
  codec: seam(CODECS, defineNumberedCodec, containCodec),
  input: seam(INPUT_TYPES, defineInputByCodec, containInput),
  output: seam(OUTPUT_TYPES, defineOutputType, containOutput),
  function: functionSeam,
  'stream-rule': streamRuleSeam,
} satisfies Seams;
