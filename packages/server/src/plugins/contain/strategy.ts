import { InvalidConfiguration, type RawConfiguration } from '#core/index.ts';
import type { Retention, Rotation, StrategyType } from '#storage/service.ts';
import type { PluginGuard } from '../guard.ts';
import { containComponent } from './component.ts';

/** The maintenance of an index set goes on with the next set when a strategy throws. */
export function containRotation(type: StrategyType<Rotation>, guard: PluginGuard): StrategyType<Rotation> {
  return {
    ...type,
    // A rotation may be an instance of a class: its methods are called on it.
    ...containComponent(type, guard, (rotation) => ({
      due: (index, now) => guard.call(`the rotation ${type.id}`, () => rotation.due(index, now)),
      ...(rotation.limit !== undefined && { limit: rotation.limit }),
      ...(rotation.lasts !== undefined && {
        lasts: (rate) => guard.call(`the rotation ${type.id}`, () => rotation.lasts?.(rate)),
      }),
    })),
  };
}

/** What it decides is data, so only its creation is a call. */
export function containRetention(type: StrategyType<Retention>, guard: PluginGuard): StrategyType<Retention> {
  const checked = {
    ...type,
    create: (context: undefined, raw: RawConfiguration) => decided(type.create(context, raw)),
  };
  return { ...type, ...containComponent(checked, guard, (retention) => retention) };
}

const ACTIONS: readonly unknown[] = ['delete', 'close', undefined];

/** Indices are deleted by it: what is not a decision must not count as one. */
function decided(retention: Retention | InvalidConfiguration): Retention | InvalidConfiguration {
  if (retention instanceof InvalidConfiguration) return retention;
  if (typeof retention !== 'object' || retention === null) throw new TypeError('it decided nothing');
  const { action, keep } = retention;
  if (!ACTIONS.includes(action)) {
    throw new TypeError(`its action is ${JSON.stringify(action)}; expected "delete", "close" or undefined`);
  }
  if (action !== undefined && !(typeof keep === 'number' && keep >= 0)) {
    throw new TypeError(`its keep is ${String(keep)}; expected how many indices stay`);
  }
  return retention;
}
