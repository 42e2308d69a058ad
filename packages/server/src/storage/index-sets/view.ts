/** Index sets as the API shows and takes them: class names on the wire, short ids inside, mapped here only. */
import type {
  IndexSetChanges,
  IndexSetView,
  NewIndexSetRequest,
  StrategiesRequest,
  StrategyConfig,
  StrategyView,
} from '@millrace/contract';
import {
  type ComponentRegistry,
  effectiveConfiguration,
  InvalidConfiguration,
  InvalidError,
  jsonSchemaOf,
  revisionOf,
} from '#core/index.ts';
import { isReserved } from './built-in.ts';
import { dataTieringOf, strategiesInEffect } from './data-tiering.ts';
import {
  DEFAULT_RETENTION,
  DEFAULT_ROTATION,
  defaultConfig,
  RETENTION_STRATEGIES,
  ROTATION_STRATEGIES,
} from './registry.ts';
import type { NewStoredIndexSet, StoredIndexSet, StoredIndexSetProperties } from './stored.ts';
import type { StoredStrategy, StrategyType } from './strategy.ts';

type Strategies = ComponentRegistry<StrategyType<unknown>>;

/** Clients ask for field types this often. */
const MIN_REFRESH_MS = 1000;

export function indexSetView(indexSet: StoredIndexSet): IndexSetView {
  const rotation = wireStrategy(ROTATION_STRATEGIES, indexSet.rotation);
  const retention = wireStrategy(RETENTION_STRATEGIES, indexSet.retention);
  const inEffect = strategiesInEffect(indexSet);
  const effectiveRotation = wireStrategy(ROTATION_STRATEGIES, inEffect.rotation);
  const effectiveRetention = wireStrategy(RETENTION_STRATEGIES, inEffect.retention);
  return {
    id: indexSet.id,
    title: indexSet.title,
    description: indexSet.description,
    default: indexSet.isDefault,
    can_be_default: indexSet.writable && !isReserved(indexSet.id),
    writable: indexSet.writable,
    index_prefix: indexSet.prefix,
    shards: indexSet.shards,
    replicas: indexSet.replicas,
    rotation_strategy_class: rotation.className,
    rotation_strategy: rotation.config,
    retention_strategy_class: retention.className,
    retention_strategy: retention.config,
    data_tiering: indexSet.dataTiering === null ? null : { ...indexSet.dataTiering.config },
    use_legacy_rotation: indexSet.dataTiering?.isUsed !== true,
    effective_rotation_strategy_class: effectiveRotation.className,
    effective_rotation_strategy: effectiveRotation.effective,
    effective_retention_strategy_class: effectiveRetention.className,
    effective_retention_strategy: effectiveRetention.effective,
    creation_date: new Date(indexSet.createdAt).toISOString(),
    index_analyzer: indexSet.analyzer,
    index_optimization_max_num_segments: indexSet.maxSegments,
    index_optimization_disabled: indexSet.optimizationDisabled,
    field_type_refresh_interval: indexSet.writable ? indexSet.fieldTypeRefreshMs : 0,
    is_built_in: isReserved(indexSet.id),
    revision: indexSetRevision(indexSet),
  };
}

/** Of what people edit: which index set is the default is no property of one of them. */
export function indexSetRevision(indexSet: StoredIndexSet): string {
  const { isDefault: _isDefault, deleting: _deleting, ...edited } = indexSet;
  return revisionOf(edited);
}

function wireStrategy(
  strategies: Strategies,
  stored: StoredStrategy,
): { className: string; config: StrategyConfig; effective: StrategyConfig } {
  const strategy = strategies.find(stored.type);
  // A strategy of a later version of the program is shown as it is stored, and nothing applies it.
  if (strategy === undefined) {
    const config = { ...stored.config, type: stored.type };
    return { className: stored.type, config, effective: config };
  }
  const type = strategy.configWireType;
  return {
    className: strategy.wireType,
    config: { type, ...stored.config },
    effective: { type, ...effectiveConfiguration(strategy, stored.config) },
  };
}

/** What a request says, complete and checked. `before` fills what a change leaves out. */
export function propertiesOf(
  request: IndexSetChanges | NewIndexSetRequest,
  before?: StoredIndexSet,
): StoredIndexSetProperties {
  const refresh = refreshOf(request, before);
  if (request.writable && refresh < MIN_REFRESH_MS) {
    throw new InvalidError(
      `field_type_refresh_interval must be at least ${MIN_REFRESH_MS} ms, not ${refresh}.`,
      { path: 'field_type_refresh_interval' },
    );
  }
  return {
    title: request.title,
    description: request.description === undefined ? (before?.description ?? null) : request.description,
    shards: request.shards,
    replicas: request.replicas,
    ...strategiesOf(request, before),
    dataTiering: dataTieringOf(request, before?.dataTiering ?? null),
    writable: request.writable,
    maxSegments: request.index_optimization_max_num_segments,
    optimizationDisabled: request.index_optimization_disabled,
    fieldTypeRefreshMs: refresh,
  };
}

/** A set that is read only says 0. When its record is sent back, that means the interval it had before. */
function refreshOf(request: IndexSetChanges | NewIndexSetRequest, before?: StoredIndexSet): number {
  const sent = request.field_type_refresh_interval;
  if (sent !== 0 || before === undefined || before.writable) return sent;
  return Math.max(before.fieldTypeRefreshMs, MIN_REFRESH_MS);
}

/** The strategies that a request names, else those of `before`, else the defaults. */
export function strategiesOf(
  request: StrategiesRequest,
  before?: StoredIndexSet,
): Pick<StoredIndexSetProperties, 'rotation' | 'retention'> {
  return {
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
  };
}

export function newIndexSetOf(request: NewIndexSetRequest): NewStoredIndexSet {
  return { ...propertiesOf(request), prefix: request.index_prefix, analyzer: request.index_analyzer };
}

/** Class and configuration may each name the strategy; when both do, it must be the same. */
function storedStrategy(
  key: string,
  strategies: Strategies,
  className: string | undefined,
  config: Readonly<Record<string, unknown>> | undefined,
  otherwise: StoredStrategy,
): StoredStrategy {
  const { type, ...fields } = config ?? {};
  const names = [className, typeof type === 'string' ? type : undefined].flatMap((name) => name ?? []);
  if (names.length === 0 && config === undefined) return otherwise;
  const found = names.map((name) => requireStrategy(key, strategies, name));
  const strategy = found[0] ?? strategies.find(otherwise.type);
  if (strategy === undefined || found.some((each) => each !== strategy)) {
    throw new InvalidError(
      `${key}_class ${className} and the type ${String(type)} of ${key} do not belong together.`,
      { path: `${key}_class` },
    );
  }
  const completed = strategy.complete(fields);
  if (!(completed instanceof InvalidConfiguration)) {
    // Clients compare what they read with what they sent: nothing is added to it.
    return { type: strategy.id, config: config === undefined ? completed : fields };
  }
  const problems = completed.problems.map(({ path, message }) => ({ path: `${key}.${path}`, message }));
  throw new InvalidError(problems.map(({ path, message }) => `${path}: ${message}`).join('; '), { problems });
}

function requireStrategy(key: string, strategies: Strategies, name: string): StrategyType<unknown> {
  const strategy = strategies.find(name);
  if (strategy !== undefined) return strategy;
  const known = strategies.types.map(({ wireType }) => wireType).join(', ');
  throw new InvalidError(`${key}: there is no strategy ${JSON.stringify(name)}. Known: ${known}.`, {
    path: `${key}_class`,
  });
}

export function strategyView(strategy: StrategyType<unknown>): StrategyView {
  return {
    type: strategy.wireType,
    name: strategy.name,
    description: strategy.description,
    default_config: { type: strategy.configWireType, ...defaultConfig(strategy) },
    json_schema: jsonSchemaOf(strategy.fields),
  };
}
