/** Index sets as the API shows and takes them: class names on the wire, short ids inside, mapped here only. */
import type {
  IndexSetChanges,
  IndexSetView,
  NewIndexSetRequest,
  StrategyConfig,
  StrategyView,
} from '@millrace/contract';
import { z } from 'zod';
import { FAILURE_INDEX_SET_ID, InvalidError } from '#core/index.ts';
import {
  DEFAULT_RETENTION,
  DEFAULT_ROTATION,
  findStrategy,
  RETENTION_STRATEGIES,
  ROTATION_STRATEGIES,
} from './registry.ts';
import type { NewStoredIndexSet, StoredIndexSet, StoredIndexSetProperties } from './stored.ts';
import type { StoredStrategy, StrategyType } from './strategy.ts';

type AnyStrategy = StrategyType<z.ZodObject>;

/** Below that clients would ask all the time. */
const MIN_REFRESH_MS = 1000;

export function indexSetView(indexSet: StoredIndexSet): IndexSetView {
  const rotation = wireStrategy(ROTATION_STRATEGIES, indexSet.rotation);
  const retention = wireStrategy(RETENTION_STRATEGIES, indexSet.retention);
  return {
    id: indexSet.id,
    title: indexSet.title,
    description: indexSet.description,
    default: indexSet.isDefault,
    can_be_default: indexSet.writable && indexSet.id !== FAILURE_INDEX_SET_ID,
    writable: indexSet.writable,
    index_prefix: indexSet.prefix,
    shards: indexSet.shards,
    replicas: indexSet.replicas,
    rotation_strategy_class: rotation.className,
    rotation_strategy: rotation.config,
    retention_strategy_class: retention.className,
    retention_strategy: retention.config,
    creation_date: new Date(indexSet.createdAt).toISOString(),
    index_analyzer: indexSet.analyzer,
    index_optimization_max_num_segments: indexSet.maxSegments,
    index_optimization_disabled: indexSet.optimizationDisabled,
    field_type_refresh_interval: indexSet.writable ? indexSet.fieldTypeRefreshMs : 0,
  };
}

function wireStrategy(
  strategies: readonly AnyStrategy[],
  stored: StoredStrategy,
): { className: string; config: StrategyConfig } {
  const strategy = findStrategy(strategies, stored.type);
  // A strategy of a later version of the program: shown as it is, obeyed by nobody.
  if (strategy === undefined)
    return { className: stored.type, config: { ...stored.config, type: stored.type } };
  const config = strategy.config.safeParse(stored.config).data ?? stored.config;
  return { className: strategy.className, config: { type: strategy.configClassName, ...config } };
}

/** What a request says, complete and checked. `before` fills what a change leaves out. */
export function propertiesOf(
  request: IndexSetChanges | NewIndexSetRequest,
  before?: StoredIndexSet,
): StoredIndexSetProperties {
  const refresh = request.field_type_refresh_interval;
  if (request.writable && refresh < MIN_REFRESH_MS) {
    throw new InvalidError(
      `field_type_refresh_interval must be at least ${MIN_REFRESH_MS} ms, not ${refresh}.`,
    );
  }
  return {
    title: request.title,
    description: request.description === undefined ? (before?.description ?? null) : request.description,
    shards: request.shards,
    replicas: request.replicas,
    rotation: storedStrategy(
      'rotation_strategy',
      ROTATION_STRATEGIES,
      request.rotation_strategy_class ?? undefined,
      request.rotation_strategy ?? undefined,
      before?.rotation ?? DEFAULT_ROTATION,
    ),
    retention: storedStrategy(
      'retention_strategy',
      RETENTION_STRATEGIES,
      request.retention_strategy_class ?? undefined,
      request.retention_strategy ?? undefined,
      before?.retention ?? DEFAULT_RETENTION,
    ),
    writable: request.writable,
    maxSegments: request.index_optimization_max_num_segments,
    optimizationDisabled: request.index_optimization_disabled,
    fieldTypeRefreshMs: refresh,
  };
}

export function newIndexSetOf(request: NewIndexSetRequest): NewStoredIndexSet {
  return { ...propertiesOf(request), prefix: request.index_prefix, analyzer: request.index_analyzer };
}

/** Class and configuration may each name the strategy; when both do, it must be the same. */
function storedStrategy(
  key: string,
  strategies: readonly AnyStrategy[],
  className: string | undefined,
  config: Readonly<Record<string, unknown>> | undefined,
  otherwise: StoredStrategy,
): StoredStrategy {
  const { type, ...fields } = config ?? {};
  const names = [className, typeof type === 'string' ? type : undefined].flatMap((name) => name ?? []);
  if (names.length === 0 && config === undefined) return otherwise;
  const found = names.map((name) => requireStrategy(key, strategies, name));
  const strategy = found[0] ?? findStrategy(strategies, otherwise.type);
  if (strategy === undefined || found.some((each) => each !== strategy)) {
    throw new InvalidError(
      `${key}_class ${className} and the type ${String(type)} of ${key} do not belong together.`,
    );
  }
  const parsed = strategy.config.safeParse(fields);
  if (parsed.success) return { type: strategy.id, config: parsed.data };
  const issue = parsed.error.issues[0];
  throw new InvalidError(`${[key, ...(issue?.path ?? [])].join('.')}: ${issue?.message ?? 'is not valid'}`);
}

function requireStrategy(key: string, strategies: readonly AnyStrategy[], name: string): AnyStrategy {
  const strategy = findStrategy(strategies, name);
  if (strategy !== undefined) return strategy;
  const known = strategies.map(({ className }) => className).join(', ');
  throw new InvalidError(`${key}: there is no strategy ${JSON.stringify(name)}. Known: ${known}.`);
}

export function strategyView(strategy: AnyStrategy): StrategyView {
  return {
    type: strategy.className,
    default_config: { type: strategy.configClassName, ...strategy.config.parse({}) },
    json_schema: z.toJSONSchema(strategy.config, { io: 'input' }),
  };
}
