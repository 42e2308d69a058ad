import type { ConditionType } from '#alerts/service.ts';
import type { PluginGuard } from '../guard.ts';
import { containComponent } from './component.ts';

/** A rule whose condition throws counts as one that could not be evaluated; the evaluator tries again. */
export function containCondition(type: ConditionType, guard: PluginGuard): ConditionType {
  return {
    ...type,
    ...containComponent(
      type,
      guard,
      (condition) => ({
        ...condition,
        measurement: (window) =>
          guard.call(`the measurement of ${type.id}`, () => condition.measurement(window)),
        judge: (measured, window) =>
          guard.call(`judging with ${type.id}`, () => condition.judge(measured, window)),
      }),
      // Rules are made once and kept; while the plugin is switched off, only their evaluation fails.
      { createEvenWhenOff: true },
    ),
  };
}
