import type { z } from 'zod';

/** A strategy as it is stored: the short id of its type and its configuration in the words of the API. */
export interface StoredStrategy {
  readonly type: string;
  readonly config: Readonly<Record<string, unknown>>;
}

/** What all kinds of strategies have. Class names are what clients of Graylog send and expect. */
export interface StrategyType<Schema extends z.ZodObject> {
  /** The short id, in the code and in the database. */
  readonly id: string;
  readonly className: string;
  /** `type` in the configuration, on the wire. */
  readonly configClassName: string;
  readonly title: string;
  /** Everything in it has a default. */
  readonly config: Schema;
}

/** What is known of an index when somebody decides about it. */
export interface IndexFigures {
  readonly number: number;
  readonly messages: number;
  readonly bytes: number;
  readonly createdAt: number;
}

/** When to begin a new index. Asked every few seconds; keeps nothing of its own. */
export interface RotationStrategy<Schema extends z.ZodObject = z.ZodObject> extends StrategyType<Schema> {
  /** Why it is time, for people; undefined when it is not. */
  due(index: IndexFigures, config: z.infer<Schema>, now: number): string | undefined;
}

export type RetentionAction = 'delete' | 'close';

/** What to do with old indices. */
export interface RetentionStrategy<Schema extends z.ZodObject = z.ZodObject> extends StrategyType<Schema> {
  /** Undefined: they are left alone. */
  readonly action: RetentionAction | undefined;
  /** How many indices, the active one included, are to be left. */
  keep(config: z.infer<Schema>): number;
}

export function defineRotation<Schema extends z.ZodObject>(
  strategy: RotationStrategy<Schema>,
): RotationStrategy<Schema> {
  return strategy;
}

export function defineRetention<Schema extends z.ZodObject>(
  strategy: RetentionStrategy<Schema>,
): RetentionStrategy<Schema> {
  return strategy;
}
