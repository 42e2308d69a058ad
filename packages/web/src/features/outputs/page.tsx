import { Button } from '@mantine/core';
import { IconPlus, IconShare3 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useRef } from 'react';
import { Disabled, missingPermission, usePermissionReason } from '../../components/disabled.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { FindBox } from '../../components/find-box.tsx';
import { InlineNotice } from '../../components/inline-notice.tsx';
import { Page, PageHeader } from '../../components/page-header.tsx';
import { Pages } from '../../components/pages.tsx';
import { useCan } from '../../lib/account/index.ts';
import { useShortcuts } from '../../lib/keys/index.ts';
import { outputStatesQuery, outputTypesQuery } from '../../lib/outputs/index.ts';
import type { SearchParams } from '../../lib/url/index.ts';
import { type ListValues, listParams } from './list-params.ts';
import { listedOutput } from './listed-outputs.ts';
import { OutputTable } from './output-table.tsx';
import { outputPageQuery, outputStreamsQuery, PER_PAGE } from './queries.ts';
import { texts } from './texts.ts';

export function OutputsPage() {
  const mayRead = useCan('outputs:read');
  return (
    <Page>
      <PageHeader title={texts.title} about={texts.about} actions={<NewOutput />} />
      {mayRead ? <Outputs /> : <InlineNotice kind="info">{missingPermission('outputs:read')}</InlineNotice>}
    </Page>
  );
}

function Outputs() {
  const search = useSearch({ strict: false }) as SearchParams;
  const { values } = listParams.read(search);
  const navigate = useNavigate();
  const { data, error, refetch, isPlaceholderData, isFetching } = useQuery(outputPageQuery(values));
  const { data: states } = useQuery(outputStatesQuery);
  const { data: streams } = useQuery(outputStreamsQuery);
  const { data: types } = useQuery(outputTypesQuery);
  const rows = (data?.outputs ?? []).map((output) => listedOutput(output, { states, streams, types }));
  const isEmpty = data !== undefined && data.total === 0 && !isPlaceholderData;
  const missing = states?.missing_nodes.length ?? 0;
  const change = (next: Partial<ListValues>) =>
    void navigate({ to: '/outputs', search: listParams.update(next), replace: true });
  return (
    <>
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {missing > 0 && <InlineNotice kind="warn">{texts.missingNodes(missing)}</InlineNotice>}
      {(values.find !== '' || (data !== undefined && !isEmpty)) && (
        <FindBox
          label={texts.find}
          hint={texts.findHint}
          group={texts.title}
          find={values.find}
          onFind={(find) => change({ find, page: 1 })}
        />
      )}
      {rows.length > 0 && (
        <OutputTable rows={rows} sort={values} onSort={(sort) => change({ ...sort, page: 1 })} />
      )}
      {data !== undefined && (
        <Pages
          page={values.page}
          perPage={PER_PAGE}
          total={data.total}
          one="output"
          isOld={isPlaceholderData || isFetching}
          onPage={(page) => change({ page })}
        />
      )}
      {isEmpty && <NoOutput find={values.find} onShowAll={() => change({ find: '', page: 1 })} />}
    </>
  );
}

function NewOutput() {
  const reason = usePermissionReason('outputs:create');
  const button = useRef<HTMLButtonElement>(null);
  const run = () => button.current?.click();
  useShortcuts(reason === undefined ? [{ keys: 'n', label: texts.newOutput, group: texts.title, run }] : []);
  return (
    <Disabled reason={reason}>
      <Button
        ref={button}
        variant="filled"
        leftSection={<IconPlus size={16} />}
        {...(reason === undefined && {
          renderRoot: (props: object) => <Link to="/outputs/new" {...props} />,
        })}
      >
        {texts.newOutput}
      </Button>
    </Disabled>
  );
}

function NoOutput({ find, onShowAll }: { readonly find: string; readonly onShowAll: () => void }) {
  const mayCreate = useCan('outputs:create');
  if (find.trim() !== '') {
    return (
      <EmptyState
        title={texts.noneFound(find)}
        action={<Button onClick={onShowAll}>{texts.showAll}</Button>}
      />
    );
  }
  return (
    <EmptyState
      icon={<IconShare3 size={20} />}
      title={texts.empty}
      {...(mayCreate && {
        action: (
          <Button renderRoot={(props) => <Link to="/outputs/new" {...props} />}>{texts.newOutput}</Button>
        ),
      })}
    >
      {texts.emptyWhy}
    </EmptyState>
  );
}
