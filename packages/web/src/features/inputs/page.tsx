import { Button } from '@mantine/core';
import { IconPlugConnected, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useRef } from 'react';
import { Disabled, missingPermission, usePermissionReason } from '../../components/disabled.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { FindBox } from '../../components/find-box.tsx';
import { InlineNotice } from '../../components/inline-notice.tsx';
import { Page, PageHeader } from '../../components/page-header.tsx';
import { Pages } from '../../components/pages.tsx';
import { mayReachAny, useCan, usePermissions } from '../../lib/account/index.ts';
import { inputStatesQuery } from '../../lib/inputs/index.ts';
import { useShortcuts } from '../../lib/keys/index.ts';
import { FAILURES_STREAM } from '../../lib/messages/index.ts';
import type { SearchParams } from '../../lib/url/index.ts';
import { InputTable } from './input-table.tsx';
import { type ListValues, listParams } from './list-params.ts';
import { listed } from './listed-inputs.ts';
import { failureCountQuery, inputPageQuery, PER_PAGE } from './queries.ts';
import { failureSearch } from './search-links.ts';
import { texts } from './texts.ts';

export function InputsPage() {
  const search = useSearch({ strict: false }) as SearchParams;
  const { values } = listParams.read(search);
  const navigate = useNavigate();
  const { data, error, refetch, isPlaceholderData, isFetching } = useQuery(inputPageQuery(values));
  const { data: states } = useQuery(inputStatesQuery);
  const rows = useMemo(() => listed(data?.inputs ?? [], states ?? {}), [data, states]);
  const isEmpty = data !== undefined && data.total === 0 && !isPlaceholderData;
  const change = (next: Partial<ListValues>) =>
    void navigate({ to: '/inputs', search: listParams.update(next), replace: true });
  return (
    <Page>
      <PageHeader title={texts.title} about={texts.about} actions={<NewInput />} />
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      <Failures />
      <MissingNodes nodes={states ?? {}} />
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
        <InputTable rows={rows} sort={values} onSort={(sort) => change({ ...sort, page: 1 })} />
      )}
      {data !== undefined && (
        <Pages
          page={values.page}
          perPage={PER_PAGE}
          total={data.total}
          one="input"
          isOld={isPlaceholderData || isFetching}
          onPage={(page) => change({ page })}
        />
      )}
      {isEmpty && <NoInput find={values.find} onShowAll={() => change({ find: '', page: 1 })} />}
    </Page>
  );
}

function NewInput() {
  const reason = usePermissionReason('inputs:create');
  const button = useRef<HTMLButtonElement>(null);
  const run = () => button.current?.click();
  useShortcuts(reason === undefined ? [{ keys: 'n', label: texts.newInput, group: texts.title, run }] : []);
  return (
    <Disabled reason={reason}>
      <Button
        ref={button}
        variant="filled"
        leftSection={<IconPlus size={16} />}
        {...(reason === undefined && {
          renderRoot: (props: object) => <Link to="/inputs/new" {...props} />,
        })}
      >
        {texts.newInput}
      </Button>
    </Disabled>
  );
}

/** What came in and could not be used. Only for those who may look at it. */
function Failures() {
  const mayCount = useCan('indices:failures');
  const mayRead = useCan('streams:read', FAILURES_STREAM);
  const { data: count = 0 } = useQuery({ ...failureCountQuery, enabled: mayCount && mayRead });
  if (count === 0) return null;
  return (
    <InlineNotice
      kind="warn"
      actions={
        <Button renderRoot={(props) => <Link {...failureSearch()} {...props} />}>{texts.showFailures}</Button>
      }
    >
      {texts.failures(count)}
    </InlineNotice>
  );
}

function MissingNodes({ nodes }: { readonly nodes: Readonly<Record<string, unknown>> }) {
  const answers = Object.values(nodes);
  const missing = answers.filter((answer) => answer === null).length;
  if (missing === 0) return null;
  return <InlineNotice kind="warn">{texts.missingNodes(missing, answers.length)}</InlineNotice>;
}

function NoInput({ find, onShowAll }: { readonly find: string; readonly onShowAll: () => void }) {
  const mayCreate = useCan('inputs:create');
  const maySee = mayReachAny(usePermissions(), 'inputs:read');
  if (!maySee) return <InlineNotice kind="info">{missingPermission('inputs:read')}</InlineNotice>;
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
      icon={<IconPlugConnected size={20} />}
      title={texts.empty}
      {...(mayCreate && {
        action: (
          <Button renderRoot={(props) => <Link to="/inputs/new" {...props} />}>{texts.newInput}</Button>
        ),
      })}
    >
      {texts.emptyWhy}
    </EmptyState>
  );
}
