import { type NodeStatus, useNodeStatus } from '../lib/node-status.ts';

const HEADLINES: Record<NodeStatus['state'], string> = {
  loading: 'Asking the node …',
  up: 'This node is running',
  down: 'This node cannot be reached',
};

function StatusDetails({ status }: { status: NodeStatus }) {
  if (status.state === 'loading') return null;
  if (status.state === 'down') {
    return (
      <p>
        {status.reason}. Look at the terminal or the log of the server; this page tries again by itself every
        few seconds.
      </p>
    );
  }
  return (
    <dl>
      <dt>Load balancer status</dt>
      <dd>{status.loadBalancer}</dd>
      <dt>Version</dt>
      <dd>{status.node.version}</dd>
      <dt>Node</dt>
      <dd>{status.node.node_id}</dd>
      <dt>Cluster</dt>
      <dd>{status.node.cluster_id}</dd>
    </dl>
  );
}

export function StatusPage() {
  const status = useNodeStatus();
  return (
    <main>
      <h1>
        <img src="/favicon.svg" alt="" width="40" height="40" /> Millrace
      </h1>
      <section aria-live="polite" data-state={status.state}>
        <h2>{HEADLINES[status.state]}</h2>
        <StatusDetails status={status} />
      </section>
      <p>
        Everything this node can do is in its REST API. <a href="/api/api-browser/">Open the API browser</a>{' '}
        and sign in with the user name and password that the first start printed.
      </p>
    </main>
  );
}
