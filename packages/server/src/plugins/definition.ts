/**
 * What a plugin says about itself. A component is a definition, the very one that a built-in component has, with the
 * name of its kind: the thread that needs the kind makes a type of it. So a worker never loads what only the main thread
 * uses.
 */
import type { RuleType } from '@millrace/rules';
import type { NotificationDefinition } from '#alerts/notifications/index.ts';
import type { ConditionDefinition } from '#alerts/service.ts';
import type { CodecDefinition } from '#codecs/index.ts';
import type { ConfigurationFields } from '#core/index.ts';
import type { InputTypeDefinition } from '#inputs/index.ts';
import type { OutputTypeDefinition } from '#outputs/index.ts';
import type { FunctionDefinition, Params } from '#processing/rules/index.ts';
import type { Retention, Rotation, StrategyDefinition } from '#storage/service.ts';
import type { StreamRuleDefinition } from './contain/stream-rule.ts';

/** The kinds of components that plugins can add, in the order in which they are registered: inputs use codecs. */
export const PLUGIN_KINDS = [
  'codec',
  'input',
  'output',
  'condition',
  'notification',
  'rotation',
  'retention',
  'function',
  'stream-rule',
] as const;
export type PluginKind = (typeof PLUGIN_KINDS)[number];

/** The name in the API is the short id unless the definition says otherwise. */
type WithOptionalName<Definition extends { readonly wireType: string }> = Omit<Definition, 'wireType'> &
  Partial<Pick<Definition, 'wireType'>>;

type WithOptionalNames<Definition extends { readonly wireType: string; readonly configWireType: string }> =
  Omit<WithOptionalName<Definition>, 'configWireType'> & Partial<Pick<Definition, 'configWireType'>>;

/** A component as a plugin defines it. */
export interface PluginComponent<Kind extends PluginKind = PluginKind> {
  readonly kind: Kind;
  /** Checked when the plugin is loaded. */
  readonly definition: { readonly id: string; readonly name: string };
}

export interface Plugin {
  readonly components: readonly PluginComponent[];
}

/** The default export of a plugin's entry. */
export function definePlugin(plugin: Plugin): Plugin {
  return plugin;
}

export function codec<Fields extends ConfigurationFields>(
  definition: WithOptionalName<CodecDefinition<Fields>>,
): PluginComponent<'codec'> {
  return { kind: 'codec', definition };
}

/** Its codec is a component of the same plugin, by its id, or a built-in one such as `gelf`. */
export function input<Fields extends ConfigurationFields>(
  definition: Omit<WithOptionalName<InputTypeDefinition<Fields>>, 'codec'> & { readonly codec: string },
): PluginComponent<'input'> {
  return { kind: 'input', definition };
}

export function output<Fields extends ConfigurationFields>(
  definition: WithOptionalName<OutputTypeDefinition<Fields>>,
): PluginComponent<'output'> {
  return { kind: 'output', definition };
}

export function condition<Fields extends ConfigurationFields>(
  definition: WithOptionalName<ConditionDefinition<Fields>>,
): PluginComponent<'condition'> {
  return { kind: 'condition', definition };
}

export function notification<Fields extends ConfigurationFields>(
  definition: WithOptionalName<NotificationDefinition<Fields>>,
): PluginComponent<'notification'> {
  return { kind: 'notification', definition };
}

export function rotation<Fields extends ConfigurationFields>(
  definition: WithOptionalNames<StrategyDefinition<Fields, Rotation>>,
): PluginComponent<'rotation'> {
  return { kind: 'rotation', definition };
}

export function retention<Fields extends ConfigurationFields>(
  definition: WithOptionalNames<StrategyDefinition<Fields, Retention>>,
): PluginComponent<'retention'> {
  return { kind: 'retention', definition };
}

/** A function of pipeline rules. It has no configuration: rules give it its arguments. */
export function pipelineFunction<const P extends Params, R extends RuleType>(
  definition: FunctionDefinition<P, R>,
): PluginComponent<'function'> {
  return { kind: 'function', definition: { id: definition.name, ...definition } };
}

/** A type of stream rules. It has no configuration: rules have a field and a value. */
export function streamRule(definition: StreamRuleDefinition): PluginComponent<'stream-rule'> {
  return { kind: 'stream-rule', definition };
}

const COMPONENT_ID = /^[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*$/;

/** What a module exports, checked. Throws an error for the author. */
export function requirePlugin(exported: unknown): Plugin {
  const components = (exported as Partial<Plugin> | null | undefined)?.components;
  if (!Array.isArray(components)) {
    throw new Error('its entry has no plugin: write "export default definePlugin({ components: [ … ] })"');
  }
  if (components.length === 0) throw new Error('it has no components');
  for (const [at, component] of components.entries()) {
    const { kind, definition } = (component ?? {}) as Partial<PluginComponent>;
    if (!PLUGIN_KINDS.includes(kind as PluginKind)) {
      throw new Error(
        `component ${at} has the kind ${JSON.stringify(kind)}; there are ${PLUGIN_KINDS.join(', ')}`,
      );
    }
    const id: unknown = definition?.id;
    if (typeof id !== 'string' || !COMPONENT_ID.test(id)) {
      throw new Error(
        `component ${at} has the id ${JSON.stringify(id)}; use lower case letters, digits and hyphens`,
      );
    }
    if (typeof definition?.name !== 'string') throw new Error(`the ${kind} ${id} has no name`);
  }
  return exported as Plugin;
}
