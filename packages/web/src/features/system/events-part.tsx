import type { SystemMessageList } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Pages } from '../../components/pages.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { pageNumberParam, pageParams, type SearchParams } from '../../lib/url/index.ts';
import { NodeLink } from './node-link.tsx';
import { EVENTS_PER_PAGE, eventsQuery } from './queries.ts';
import { texts as common, eventTexts as texts } from './texts.ts';

const params = pageParams<{ page: number }>({ page: pageNumberParam() });

export function EventsPart() {
  const search = useSearch({ strict: false }) as SearchParams;
  const { page } = params.read(search).values;
  const navigate = useNavigate();
  const { data, error, refetch, isPlaceholderData, isFetching } = useQuery(eventsQuery(page));
  const open = (next: number) =>
    void navigate({
      to: '/system/$part',
      params: { part: 'events' },
      search: params.write({ page: next }, search),
      replace: true,
    });
  return (
    <>
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {data !== undefined && data.messages.length > 0 && (
        <DataTable
          label={common.parts.events}
          columns={COLUMNS}
          rows={data.messages.map((message, at) => ({ ...message, key: String(at) }))}
          rowKey={({ key }) => key}
        />
      )}
      {data?.total === 0 && <EmptyState title={texts.none} />}
      {data !== undefined && (
        <Pages
          page={page}
          perPage={EVENTS_PER_PAGE}
          total={data.total}
          one="message"
          isOld={isPlaceholderData || isFetching}
          onPage={open}
        />
      )}
    </>
  );
}

type Row = SystemMessageList['messages'][number] & { readonly key: string };

const COLUMNS: readonly Column<Row>[] = [
  {
    key: 'time',
    title: common.time,
    width: '184px',
    render: ({ timestamp }) => <Timestamp value={timestamp} />,
  },
  { key: 'from', title: texts.from, width: '120px', isMinor: true, render: ({ caller }) => caller },
  {
    key: 'node',
    title: common.node,
    width: '120px',
    isMinor: true,
    render: ({ node_id }) => <NodeLink nodeId={node_id} />,
  },
  { key: 'message', title: texts.message, render: ({ content }) => content },
];
