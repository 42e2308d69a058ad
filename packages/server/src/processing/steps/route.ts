import type { StreamRouter } from '#streams/index.ts';
import { namingChanges, type Step } from '../framework/index.ts';

/** Adds every message to the streams whose rules it matches. */
export function createRouteStep(router: StreamRouter): Step {
  return namingChanges(function route({ messages, targets }) {
    router.route(messages, targets);
  });
}
