/**
 * Graylog's newer way to say how long messages are kept: two lifetimes instead of a rotation and a retention. Only its
 * "hot" tier exists here. It is stored and answered as it was sent, and applied as the strategies it stands for.
 */
import type { StrategiesRequest } from '@millrace/contract';
import { InvalidError } from '#core/index.ts';
import { deletion } from './retention/delete.ts';
import { lifetimes } from './rotation/lifetime.ts';
import type { StoredDataTiering, StoredIndexSetProperties } from './stored.ts';
import type { StoredStrategy } from './strategy.ts';

interface Strategies {
  readonly rotation: StoredStrategy;
  readonly retention: StoredStrategy;
}

const HOT_ONLY = 'hot_only';

/** The strategies that an index set applies. */
export function strategiesInEffect({
  rotation,
  retention,
  dataTiering,
}: Pick<StoredIndexSetProperties, 'rotation' | 'retention' | 'dataTiering'>): Strategies {
  if (dataTiering?.isUsed !== true) return { rotation, retention };
  // Graylog's "warm" tier, which has a time of its own there, is this field of the retention here.
  const { move_after_days } = retention.config;
  const config = move_after_days === undefined ? {} : { move_after_days };
  return { rotation: rotationOf(dataTiering), retention: { type: deletion.id, config } };
}

function rotationOf({ config }: StoredDataTiering): StoredStrategy {
  const { index_lifetime_min, index_lifetime_max } = config;
  return { type: lifetimes.id, config: { index_lifetime_min, index_lifetime_max } };
}

export type DataTieringRequest = StrategiesRequest & {
  readonly data_tiering?: StoredDataTiering['config'] | null | undefined;
  readonly use_legacy_rotation?: boolean | null | undefined;
};

/**
 * What a request says about it. `use_legacy_rotation` decides; without it, strategies that the request names count more
 * than a data tiering beside them.
 */
export function dataTieringOf(
  request: DataTieringRequest,
  before: StoredDataTiering | null,
): StoredDataTiering | null {
  const sent = request.data_tiering ?? undefined;
  const config = sent ?? before?.config;
  const isUsed = isUsedBy(request, namesStrategy(request), sent !== undefined || before?.isUsed === true);
  if (config === undefined) {
    if (isUsed) throw wrong('data_tiering', 'is missing, and use_legacy_rotation is false');
    return null;
  }
  requireHotTier(config);
  return { config, isUsed };
}

export function namesStrategy(request: StrategiesRequest): boolean {
  return [
    request.rotation_strategy,
    request.rotation_strategy_class,
    request.retention_strategy,
    request.retention_strategy_class,
  ].some((each) => each !== undefined && each !== null);
}

function isUsedBy(request: DataTieringRequest, hasStrategy: boolean, otherwise: boolean): boolean {
  const isLegacy = request.use_legacy_rotation ?? undefined;
  if (isLegacy !== undefined) return !isLegacy;
  return !hasStrategy && otherwise;
}

function requireHotTier(config: StoredDataTiering['config']): void {
  if (config.type !== HOT_ONLY) {
    throw wrong('data_tiering.type', `must be ${HOT_ONLY}, not ${JSON.stringify(config.type)}`);
  }
  const [problem] = lifetimes.problemsOf(rotationOf({ config, isUsed: true }).config);
  if (problem !== undefined) throw wrong(`data_tiering.${problem.path}`, problem.message);
}

function wrong(path: string, message: string): InvalidError {
  return new InvalidError(`${path} ${message}.`, { problems: [{ path, message }] });
}
