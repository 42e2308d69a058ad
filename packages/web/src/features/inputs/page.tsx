import { Button } from '@mantine/core';
import { IconPlugConnected } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { missingPermission } from '../../components/disabled.tsx';
import { FindList } from '../../components/find-list.tsx';
import { InlineNotice } from '../../components/inline-notice.tsx';
import { NewButton } from '../../components/new-button.tsx';
import { NothingYet } from '../../components/nothing-yet.tsx';
import { Page, PageHeader } from '../../components/page-header.tsx';
import { useListValues } from '../../components/use-list-values.ts';
import { mayReachAny, useCan, usePermissions } from '../../lib/account/index.ts';
import { inputStatesQuery } from '../../lib/inputs/index.ts';
import { FAILURES_STREAM } from '../../lib/messages/index.ts';
import { InputTable } from './input-table.tsx';
import { listParams } from './list-params.ts';
import { listed } from './listed-inputs.ts';
import { failureCountQuery, inputPageQuery, PER_PAGE } from './queries.ts';
import { failureSearch } from './search-links.ts';
import { texts } from './texts.ts';

export function InputsPage() {
  const list = useListValues('/inputs', listParams);
  const { values, change } = list;
  const result = useQuery(inputPageQuery(values));
  const { data } = result;
  const { data: states } = useQuery(inputStatesQuery);
  const maySee = mayReachAny(usePermissions(), 'inputs:read');
  const rows = useMemo(() => listed(data?.inputs ?? [], states ?? {}), [data, states]);
  return (
    <Page>
      <PageHeader
        title={texts.title}
        about={texts.about}
        actions={
          <NewButton label={texts.newInput} group={texts.title} to="/inputs/new" permission="inputs:create" />
        }
      />
      <Failures />
      <MissingNodes nodes={states ?? {}} />
      {maySee ? (
        <FindList
          {...{ texts, list, result }}
          total={data?.total}
          perPage={PER_PAGE}
          one="input"
          empty={
            <NothingYet
              icon={<IconPlugConnected size={20} />}
              texts={texts}
              to="/inputs/new"
              label={texts.newInput}
              permission="inputs:create"
            />
          }
        >
          {rows.length > 0 && (
            <InputTable rows={rows} sort={values} onSort={(sort) => change({ ...sort, page: 1 })} />
          )}
        </FindList>
      ) : (
        <InlineNotice kind="info">{missingPermission('inputs:read')}</InlineNotice>
      )}
    </Page>
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
