import {
  type ComponentDefinition,
  type ComponentType,
  type ConfigurationFields,
  defineComponent,
} from '#core/index.ts';

/** A strategy as it is stored: the short id of its type and its configuration in the words of the API. */
export interface StoredStrategy {
  readonly type: string;
  readonly config: Readonly<Record<string, unknown>>;
}

/** A component that needs nothing but its configuration, in which every field has a default. */
export interface StrategyType<Strategy> extends ComponentType<undefined, Strategy> {
  /** `type` in the configuration, on the wire: another class name of Graylog. */
  readonly configWireType: string;
}

/** What is known of an index when its strategy decides about it. */
export interface IndexFigures {
  readonly number: number;
  readonly messages: number;
  readonly bytes: number;
  readonly createdAt: number;
}

/** How much arrives. */
export interface Rate {
  readonly messagesPerDay: number;
  readonly bytesPerDay: number;
}

/** When to begin a new index. Asked every few seconds; keeps no state. */
export interface Rotation {
  /** Why it is time, for people; undefined when it is not. */
  due(index: IndexFigures, now: number): string | undefined;
  /** What an index holds at most, for people: one of them. The period is ISO 8601. */
  readonly limit?: { readonly messages?: number; readonly bytes?: number; readonly period?: string };
  /** Milliseconds until an index is full; undefined when nothing arrives that would fill it. */
  lasts?(rate: Rate): number | undefined;
  /** How long an index stays after its end. The retention then counts time and no indices. */
  readonly keepsForMs?: number;
}

export const DAY_MS = 86_400_000;

/** How long it takes until `limit` has arrived. */
export function timeToReach(limit: number, perDay: number): number | undefined {
  return perDay > 0 ? (limit / perDay) * DAY_MS : undefined;
}

/** What to do with old indices. */
export interface Retention {
  /** Undefined: they are left alone. */
  readonly action: 'delete' | 'close' | undefined;
  /** How many indices stay, including the active one. */
  readonly keep: number;
  /** When they go to the volume for old messages, in days since their end. Undefined: never. */
  readonly moveAfterDays?: number | undefined;
}

export interface StrategyDefinition<Fields extends ConfigurationFields, Strategy>
  extends ComponentDefinition<Fields, undefined, Strategy> {
  readonly configWireType: string;
}

function defineStrategy<Fields extends ConfigurationFields, Strategy>(
  definition: StrategyDefinition<Fields, Strategy>,
): StrategyType<Strategy> {
  const { configWireType } = definition;
  return { ...defineComponent(definition), aliases: [configWireType], configWireType };
}

export function defineRotation<Fields extends ConfigurationFields>(
  definition: StrategyDefinition<Fields, Rotation>,
): StrategyType<Rotation> {
  return defineStrategy(definition);
}

export function defineRetention<Fields extends ConfigurationFields>(
  definition: StrategyDefinition<Fields, Retention>,
): StrategyType<Retention> {
  return defineStrategy(definition);
}
