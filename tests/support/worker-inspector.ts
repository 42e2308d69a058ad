/**
 * The workers of a node, reached through Node's inspector: for what cannot be done from outside, like ending one
 * worker of a running program. The node must have been started with `--inspect=127.0.0.1:0`.
 */
import { once } from 'node:events';

export interface WorkerInspector {
  /** The workers that run now. */
  workers(): readonly string[];
  /** Calls a method of the inspector's protocol in a worker. */
  call(worker: string, method: string, parameters?: Record<string, unknown>): Promise<unknown>;
  close(): void;
}

interface Answer {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly sessionId: string; readonly message: string };
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

/** In what a node prints when it is started with `--inspect`. */
export const INSPECTOR_ADDRESS = /Debugger listening on (ws:\S+)/;

export async function inspectWorkers(address: string): Promise<WorkerInspector> {
  const socket = new WebSocket(address);
  await once(socket, 'open');
  const workers = new Set<string>();
  const waiting = new Map<string, PromiseWithResolvers<unknown>>();
  let calls = 0;

  function expectAnswer(key: string): Promise<unknown> {
    const answer = Promise.withResolvers<unknown>();
    waiting.set(key, answer);
    return answer.promise;
  }

  function receive(sender: string, text: string): void {
    const { id, method, params, result, error } = JSON.parse(text) as Answer;
    if (id !== undefined) {
      const answer = waiting.get(`${sender}/${id}`);
      waiting.delete(`${sender}/${id}`);
      if (error === undefined) answer?.resolve(result);
      else answer?.reject(new Error(error.message));
    } else if (params !== undefined && method === 'NodeWorker.attachedToWorker')
      workers.add(params.sessionId);
    else if (params !== undefined && method === 'NodeWorker.detachedFromWorker') {
      workers.delete(params.sessionId);
    } else if (params !== undefined && method === 'NodeWorker.receivedMessageFromWorker') {
      receive(params.sessionId, params.message);
    }
  }

  function callMain(method: string, parameters: Record<string, unknown>): Promise<unknown> {
    const id = ++calls;
    socket.send(JSON.stringify({ id, method, params: parameters }));
    return expectAnswer(`/${id}`);
  }

  socket.addEventListener('message', ({ data }) => receive('', String(data)));
  await callMain('NodeWorker.enable', { waitForDebuggerOnStart: false });
  return {
    workers: () => [...workers],
    async call(worker, method, parameters = {}) {
      const id = ++calls;
      const answer = expectAnswer(`${worker}/${id}`);
      const message = JSON.stringify({ id, method, params: parameters });
      await callMain('NodeWorker.sendMessageToWorker', { sessionId: worker, message });
      return await answer;
    },
    close: () => socket.close(),
  };
}
