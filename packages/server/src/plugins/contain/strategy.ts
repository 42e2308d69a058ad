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
  return { ...type, ...containComponent(type, guard, (retention) => retention) };
}
