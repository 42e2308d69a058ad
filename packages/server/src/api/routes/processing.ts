import type { NodeControl } from '#system/service.ts';
import { defineRoute, type Route } from '../route.ts';

export interface ProcessingRouteDeps {
  readonly nodeId: string;
  readonly control: NodeControl;
}

const tag = 'System/Processing';

/** `/system` shows as `is_processing` whether messages are processed. */
export function processingRoutes({ nodeId, control }: ProcessingRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'PUT',
      path: '/system/processing/pause',
      tag,
      summary: 'Pause message processing on this node',
      description: 'Messages are still accepted and kept in the journal, until it is full.',
      permission: 'processing:changestate',
      instance: () => nodeId,
      responses: { 204: null },
      errors: [],
      handler: (request) => control.pauseProcessing(request),
    }),
    defineRoute({
      method: 'PUT',
      path: '/system/processing/resume',
      tag,
      summary: 'Resume message processing on this node',
      description: 'Refused with 403 while the pause is locked.',
      permission: 'processing:changestate',
      instance: () => nodeId,
      responses: { 204: null },
      errors: [],
      handler: (request) => control.resumeProcessing(request),
    }),
    defineRoute({
      method: 'PUT',
      path: '/system/processing/pause/unlock',
      tag,
      summary: 'Unlock a pause that the node itself started',
      description: 'Processing stays paused until it is resumed.',
      permission: 'processing:changestate',
      instance: () => nodeId,
      responses: { 204: null },
      errors: [],
      handler: (request) => control.unlockPause(request),
    }),
  ];
}
