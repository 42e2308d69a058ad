import type { z } from 'zod';
import { closing } from './retention/close.ts';
import { deletion } from './retention/delete.ts';
import { none } from './retention/none.ts';
import { messageCount } from './rotation/message-count.ts';
import { size } from './rotation/size.ts';
import { time } from './rotation/time.ts';
import type {
  IndexFigures,
  RetentionStrategy,
  RotationStrategy,
  StoredStrategy,
  StrategyType,
} from './strategy.ts';

/** With the types of its configuration erased, as lists hold it: what is stored is parsed before it is used. */
export interface AnyRotation extends StrategyType<z.ZodObject> {
  due(index: IndexFigures, config: unknown, now: number): string | undefined;
}

export interface AnyRetention extends StrategyType<z.ZodObject> {
  readonly action: RetentionStrategy['action'];
  keep(config: unknown): number;
}

/** A new strategy is a file and a line. */
export const ROTATION_STRATEGIES: readonly AnyRotation[] = [
  erasedRotation(messageCount),
  erasedRotation(size),
  erasedRotation(time),
];
export const RETENTION_STRATEGIES: readonly AnyRetention[] = [
  erasedRetention(deletion),
  erasedRetention(closing),
  erasedRetention(none),
];

function erasedRotation<Schema extends z.ZodObject>(strategy: RotationStrategy<Schema>): AnyRotation {
  return {
    ...strategy,
    due: (index, config, now) => strategy.due(index, strategy.config.parse(config), now),
  };
}

function erasedRetention<Schema extends z.ZodObject>(strategy: RetentionStrategy<Schema>): AnyRetention {
  return { ...strategy, keep: (config) => strategy.keep(strategy.config.parse(config)) };
}

/** By short id or class name. */
export function findStrategy<Strategy extends StrategyType<z.ZodObject>>(
  strategies: readonly Strategy[],
  name: string,
): Strategy | undefined {
  return strategies.find(
    (strategy) => strategy.id === name || strategy.className === name || strategy.configClassName === name,
  );
}

export const DEFAULT_ROTATION: StoredStrategy = {
  type: messageCount.id,
  config: messageCount.config.parse({}),
};
export const DEFAULT_RETENTION: StoredStrategy = { type: deletion.id, config: deletion.config.parse({}) };
