/**
 * The threads of a node, reached through Node's inspector: for what cannot be done from outside, like ending one
 * thread of a running program. The node must have been started with `--inspect=127.0.0.1:0`.
 */
import { once } from 'node:events';

export interface ThreadInspector {
  /** The threads that run now. */
  threads(): readonly string[];
  /** Calls a method of the inspector's protocol in a thread. */
  call(thread: string, method: string, parameters?: Record<string, unknown>): Promise<unknown>;
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

export async function inspectThreads(address: string): Promise<ThreadInspector> {
  const socket = new WebSocket(address);
  await once(socket, 'open');
  const threads = new Set<string>();
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
      threads.add(params.sessionId);
    else if (params !== undefined && method === 'NodeWorker.detachedFromWorker') {
      threads.delete(params.sessionId);
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
    threads: () => [...threads],
    async call(thread, method, parameters = {}) {
      const id = ++calls;
      const answer = expectAnswer(`${thread}/${id}`);
      const message = JSON.stringify({ id, method, params: parameters });
      await callMain('NodeWorker.sendMessageToWorker', { sessionId: thread, message });
      return await answer;
    },
    close: () => socket.close(),
  };
}
