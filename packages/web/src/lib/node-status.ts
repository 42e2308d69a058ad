import { useEffect, useState } from 'react';

export interface NodeIdentity {
  cluster_id: string;
  node_id: string;
  version: string;
}

export type NodeStatus =
  | { state: 'loading' }
  | { state: 'up'; node: NodeIdentity; loadBalancer: string }
  | { state: 'down'; reason: string };

async function readStatus(signal: AbortSignal): Promise<NodeStatus> {
  try {
    const [identity, loadBalancer] = await Promise.all([
      fetch('/api/', { signal, headers: { Accept: 'application/json' } }),
      fetch('/api/system/lbstatus', { signal, headers: { Accept: 'text/plain' } }),
    ]);
    if (!identity.ok) return { state: 'down', reason: `the server answered with status ${identity.status}` };
    const node = (await identity.json()) as NodeIdentity;
    return { state: 'up', node, loadBalancer: (await loadBalancer.text()).toLowerCase() };
  } catch {
    return { state: 'down', reason: 'the server does not answer' };
  }
}

/** What the node says about itself, asked again every few seconds. */
export function useNodeStatus(intervalMs = 5000): NodeStatus {
  const [status, setStatus] = useState<NodeStatus>({ state: 'loading' });
  useEffect(() => {
    const abort = new AbortController();
    const refresh = () =>
      void readStatus(abort.signal).then((next) => {
        if (!abort.signal.aborted) setStatus(next);
      });
    refresh();
    const timer = setInterval(refresh, intervalMs);
    return () => {
      clearInterval(timer);
      abort.abort();
    };
  }, [intervalMs]);
  return status;
}
