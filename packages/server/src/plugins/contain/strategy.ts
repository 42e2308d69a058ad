import type { Retention, Rotation, StrategyType } from '#storage/service.ts';
import type { PluginGuard } from '../guard.ts';
import { containComponent } from './component.ts';

/** The maintenance of an index set goes on with the next set when a strategy throws. */
export function containRotation(type: StrategyType<Rotation>, guard: PluginGuard): StrategyType<Rotation> {
  return {
    ...type,
    ...containComponent(type, guard, ({ due, limit, lasts }) => ({
      due: (index, now) => guard.call(`the rotation ${type.id}`, () => due(index, now)),
      ...(limit !== undefined && { limit }),
      ...(lasts !== undefined && {
        lasts: (rate) => guard.call(`the rotation ${type.id}`, () => lasts(rate)),
      }),
    })),
  };
}

/** What it decides is data, so only its creation is a call. */
export function containRetention(type: StrategyType<Retention>, guard: PluginGuard): StrategyType<Retention> {
  return { ...type, ...containComponent(type, guard, (retention) => retention) };
}
