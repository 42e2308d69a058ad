import { type ComponentRegistry, createComponentRegistry, InvalidConfiguration } from '#core/index.ts';
import { closing } from './retention/close.ts';
import { deletion } from './retention/delete.ts';
import { none } from './retention/none.ts';
import { lifetimes } from './rotation/lifetime.ts';
import { messageCount } from './rotation/message-count.ts';
import { size } from './rotation/size.ts';
import { time } from './rotation/time.ts';
import type { StoredStrategy, StrategyType } from './strategy.ts';

/** A new strategy is a file and a line. */
export const ROTATION_STRATEGIES = createComponentRegistry('rotation strategy', [
  messageCount,
  size,
  time,
  lifetimes,
]);
export const RETENTION_STRATEGIES = createComponentRegistry('retention strategy', [deletion, closing, none]);

/**
 * The strategy that is stored. Undefined when this version of the program does not know its type. Throws when it knows
 * the type and the configuration is not valid.
 */
export function createStrategy<Strategy>(
  strategies: ComponentRegistry<StrategyType<Strategy>>,
  stored: StoredStrategy,
): Strategy | undefined {
  const created = strategies.find(stored.type)?.create(undefined, stored.config);
  if (created instanceof InvalidConfiguration) {
    throw new Error(`the configuration of the strategy ${stored.type} is not valid: ${created.text}`);
  }
  return created;
}

export const DEFAULT_ROTATION = withDefaults(messageCount);
export const DEFAULT_RETENTION = withDefaults(deletion);

function withDefaults(strategy: StrategyType<unknown>): StoredStrategy {
  return { type: strategy.id, config: defaultConfig(strategy) };
}

export function defaultConfig(strategy: StrategyType<unknown>): StoredStrategy['config'] {
  const config = strategy.complete({});
  if (config instanceof InvalidConfiguration) throw new Error(`${strategy.id} needs a configuration`);
  return config;
}
