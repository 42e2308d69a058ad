import { defineNotificationType, NOTIFICATION_TYPES } from '#alerts/notifications/service.ts';
import { CONDITION_TYPES, defineCondition } from '#alerts/service.ts';
import {
  defineRetention,
  defineRotation,
  RETENTION_STRATEGIES,
  ROTATION_STRATEGIES,
} from '#storage/service.ts';
import { containCondition } from '../contain/condition.ts';
import { containNotification } from '../contain/notification.ts';
import { containRetention, containRotation } from '../contain/strategy.ts';
import type { PluginKind } from '../definition.ts';
import { type Seam, seam, WORKER_SEAMS } from './seams.ts';

/** A strategy's configuration has a name of its own in the API. */
function withConfigName<Type>(define: (definition: never) => Type): (definition: never) => Type {
  return (definition: { readonly wireType: string }) =>
    define({ configWireType: `${definition.wireType}-config`, ...definition } as never);
}

/** All kinds: the main thread shows, checks and stores the configuration of every component. */
export const MAIN_THREAD_SEAMS: Readonly<Record<PluginKind, Seam>> = {
  ...WORKER_SEAMS,
  condition: seam(CONDITION_TYPES, defineCondition, containCondition),
  notification: seam(NOTIFICATION_TYPES, defineNotificationType, containNotification),
  rotation: seam(ROTATION_STRATEGIES, withConfigName(defineRotation), containRotation),
  retention: seam(RETENTION_STRATEGIES, withConfigName(defineRetention), containRetention),
};
