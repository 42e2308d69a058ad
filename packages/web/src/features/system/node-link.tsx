import { Link } from '@tanstack/react-router';

const SHORT_ID = 8;

export function NodeLink({ nodeId }: { readonly nodeId: string }) {
  return (
    <Link to="/nodes/$id" params={{ id: nodeId }} title={nodeId}>
      {nodeId.slice(0, SHORT_ID)}
    </Link>
  );
}
