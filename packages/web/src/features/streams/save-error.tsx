import { ErrorNotice } from '../../components/error-notice.tsx';
import { ApiError } from '../../lib/api/index.ts';

/** What is wrong with the request as a whole; what is wrong with a rule or a field stands beside it. */
export function SaveError({ error }: { readonly error: Error | null }) {
  if (error === null) return null;
  if (error instanceof ApiError && error.problems.some(({ path }) => path !== '')) return null;
  return <ErrorNotice error={error} />;
}
