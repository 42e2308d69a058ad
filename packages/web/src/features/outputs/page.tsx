import { Button } from '@mantine/core';
import { IconPlus, IconShare3 } from '@tabler/icons-react';
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
import { useCan } from '../../lib/account/index.ts';
import { useShortcuts } from '../../lib/keys/index.ts';
import { outputStatesQuery, outputsQuery, outputTypesQuery } from '../../lib/outputs/index.ts';
import { type FoundList, foundListParams, pageWithin, type SearchParams } from '../../lib/url/index.ts';
import { foundOutputs, listedOutputs } from './listed-outputs.ts';
import { OutputTable } from './output-table.tsx';
import { outputStreamsQuery } from './queries.ts';
import { texts } from './texts.ts';

const PER_PAGE = 50;

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
  const { values } = foundListParams.read(search);
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery(outputsQuery);
  const { data: states } = useQuery(outputStatesQuery);
  const { data: streams } = useQuery(outputStreamsQuery);
  const { data: types } = useQuery(outputTypesQuery);
  const all = useMemo(
    () => listedOutputs(data ?? [], { states, streams, types }),
    [data, states, streams, types],
  );
  const wanted = foundOutputs(all, values.find);
  const page = pageWithin(values.page, wanted.length, PER_PAGE);
  const shown = wanted.slice((page - 1) * PER_PAGE, page * PER_PAGE);
  const missing = states?.missing_nodes.length ?? 0;
  const change = (next: Partial<FoundList>) =>
    void navigate({ to: '/outputs', search: foundListParams.update(next), replace: true });
  return (
    <>
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {missing > 0 && <InlineNotice kind="warn">{texts.missingNodes(missing)}</InlineNotice>}
      {all.length > 0 && (
        <FindBox
          label={texts.find}
          hint={texts.findHint}
          group={texts.title}
          find={values.find}
          onFind={(find) => change({ find, page: 1 })}
        />
      )}
      {shown.length > 0 && <OutputTable rows={shown} />}
      <Pages
        page={page}
        perPage={PER_PAGE}
        total={wanted.length}
        one="output"
        onPage={(next) => change({ page: next })}
      />
      {data !== undefined && shown.length === 0 && (
        <NoOutput find={values.find} onShowAll={() => change({ find: '', page: 1 })} />
      )}
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
