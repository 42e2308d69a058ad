import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { call } from '../../lib/api/index.ts';
import { fromResult } from '../../lib/messages/index.ts';
import type { SearchParams } from '../../lib/url/index.ts';
import { Section } from './section.tsx';
import { TrialPanel } from './trial/trial-panel.tsx';

/** What all connected pipelines do to a message: `?msg=index/id`, or one that is chosen here. */
export function SimulatorPage() {
  const { msg = '' } = useSearch({ strict: false }) as SearchParams;
  const slash = msg.lastIndexOf('/');
  const path = { index: msg.slice(0, Math.max(0, slash)), messageId: msg.slice(slash + 1) };
  const isGiven = path.index !== '' && path.messageId !== '';
  const { data, error, refetch } = useQuery({
    queryKey: ['message', path.index, path.messageId],
    queryFn: ({ signal }) => call('GET /messages/{index}/{messageId}', { path, signal }),
    enabled: isGiven,
  });
  return (
    <Section section="simulator">
      {isGiven && error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {(!isGiven || data !== undefined || error !== null) && (
        <TrialPanel
          key={msg}
          what={{}}
          first={data === undefined ? undefined : fromResult(data)}
          hasHistory={false}
        />
      )}
    </Section>
  );
}
