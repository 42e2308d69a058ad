import type { LoadBalancerStatus } from '@millrace/contract';
import type { NodeStatus } from '#cluster/service.ts';
import { type AuditLog, type Caller, ForbiddenError, recordAction, StateConflictError } from '#core/index.ts';
import type { SystemMessages } from './system-messages.ts';

/** What an operator can do to this node. Every action is recorded in the audit log and as a system message. */
export interface NodeControl {
  pauseProcessing(caller: Caller): Promise<void>;
  /** Refused while the pause is locked. */
  resumeProcessing(caller: Caller): Promise<void>;
  unlockPause(caller: Caller): Promise<void>;
  overrideLoadBalancer(caller: Caller, status: LoadBalancerStatus): Promise<void>;
  clearLoadBalancerOverride(caller: Caller): Promise<void>;
  /** Returns before the node has stopped, so that the caller gets an answer. */
  shutDown(caller: Caller): Promise<void>;
}

export interface NodeControlDeps {
  readonly status: NodeStatus;
  readonly audit: AuditLog;
  readonly systemMessages: SystemMessages;
  /** Shuts the node down gracefully. */
  readonly stopNode: () => void;
}

export function createNodeControl(deps: NodeControlDeps, settings: { readonly nodeId: string }): NodeControl {
  const { status } = deps;

  async function record(caller: Caller, verb: string, content: string, after?: unknown): Promise<void> {
    await recordAction(deps.audit, caller, `node.${verb}`, { objectId: settings.nodeId, after });
    await deps.systemMessages.publish('node', `${content} (by ${caller.principal.username})`);
  }

  return {
    async pauseProcessing(caller) {
      status.pauseProcessing();
      await record(caller, 'pause_processing', 'Message processing paused');
    },
    async resumeProcessing(caller) {
      if (status.resumeProcessing() === 'locked') {
        throw new ForbiddenError(
          'The pause is locked because the node itself paused message processing. Fix the cause, then unlock it with PUT /system/processing/pause/unlock.',
        );
      }
      await record(caller, 'resume_processing', 'Message processing resumed');
    },
    async unlockPause(caller) {
      status.unlockPause();
      await record(caller, 'unlock_pause', 'Pause of message processing unlocked');
    },
    async overrideLoadBalancer(caller, loadBalancerStatus) {
      if (status.overrideLoadBalancer(loadBalancerStatus) === 'stopping') {
        throw new StateConflictError('This node is stopping, so its load balancer status stays "dead".');
      }
      await record(caller, 'override_lb_status', `Load balancer status overridden: ${loadBalancerStatus}`, {
        lb_status: loadBalancerStatus,
      });
    },
    async clearLoadBalancerOverride(caller) {
      status.clearOverride();
      await record(caller, 'clear_lb_override', 'Override of the load balancer status removed');
    },
    async shutDown(caller) {
      await record(caller, 'shutdown', 'Node is shutting down');
      setImmediate(deps.stopNode);
    },
  };
}
