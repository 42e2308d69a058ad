import type { z } from 'zod';
import { ForbiddenError, InvalidError, NotFoundError, UnavailableError } from '#core/index.ts';
import type { AllAnswers, FanOut, Peer, PeerRequest } from './fan-out.ts';
import type { NodeRegistry } from './registry.ts';

/** Runs a request on the node it is meant for, whichever node received it. */
export interface NodeCalls {
  /**
   * Calls `own` if `nodeId` is this node, otherwise calls that node with the caller's own credentials. Rejects with
   * the error that node answered with, with `NotFoundError` if the node is not active, and with `UnavailableError` if
   * it does not answer.
   */
  onNode<T>(
    nodeId: string,
    request: PeerRequest,
    schema: z.ZodType<T>,
    own: () => T | Promise<T>,
  ): Promise<T>;
  /** The same on all active nodes in parallel; null for a node that did not answer. See `FanOut.askAll`. */
  onAllNodes<T>(
    request: PeerRequest,
    schema: z.ZodType<T>,
    own: () => T | null | Promise<T | null>,
    isWanted?: (nodeId: string) => boolean,
  ): AllAnswers<T> | Promise<AllAnswers<T>>;
  /** Ids of the other nodes that are active. */
  otherNodes(): string[];
  /**
   * Opens a streamed answer of another node, which lasts until the caller's signal aborts it. Rejects if the node is
   * not active, refuses or does not answer.
   */
  openOnNode(nodeId: string, request: PeerRequest): Promise<AsyncIterable<Uint8Array>>;
}

export function createNodeCalls(deps: {
  readonly registry: NodeRegistry;
  readonly fanOut: FanOut;
}): NodeCalls {
  const { registry, fanOut } = deps;

  function requirePeer(nodeId: string): Peer {
    const peer = registry.findActive(nodeId);
    if (peer !== undefined) return peer;
    throw new NotFoundError(`Node ${nodeId.slice(0, 100)} is not an active node of this cluster.`);
  }

  return {
    async onNode(nodeId, request, schema, own) {
      if (nodeId === registry.nodeId) return own();
      const answer = await fanOut.ask(requirePeer(nodeId), request, schema);
      switch (answer.kind) {
        case 'answer':
          return answer.value;
        case 'refused':
          throw refusal(nodeId, answer.status, answer.message);
        case 'unreachable':
          throw new UnavailableError(`Node ${nodeId} did not answer: ${answer.reason}.`);
      }
    },
    onAllNodes: (request, schema, own, isWanted = () => true) =>
      fanOut.askAll(
        registry.activeNodes().filter((node) => isWanted(node.nodeId)),
        request,
        schema,
        own,
      ),
    otherNodes: () =>
      registry.activeNodes().flatMap(({ nodeId }) => (nodeId === registry.nodeId ? [] : [nodeId])),
    openOnNode: async (nodeId, request) => fanOut.open(requirePeer(nodeId), request),
  };
}

function refusal(nodeId: string, status: number, message: string): Error {
  if (status === 400) return new InvalidError(message || `Node ${nodeId} refused the request.`);
  if (status === 403) return new ForbiddenError(message || 'Not authorized');
  if (status === 404) return new NotFoundError(message || `Node ${nodeId} does not have this.`);
  return new UnavailableError(`Node ${nodeId} answered with status ${status}. ${message}`.trim());
}
