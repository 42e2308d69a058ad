import { IconShare3 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { missingPermission } from '../../components/disabled.tsx';
import { FindList } from '../../components/find-list.tsx';
import { InlineNotice } from '../../components/inline-notice.tsx';
import { NewButton } from '../../components/new-button.tsx';
import { NothingYet } from '../../components/nothing-yet.tsx';
import { Page, PageHeader } from '../../components/page-header.tsx';
import { useListValues } from '../../components/use-list-values.ts';
import { useCan } from '../../lib/account/index.ts';
import { outputStatesQuery, outputTypesQuery } from '../../lib/outputs/index.ts';
import { listParams } from './list-params.ts';
import { listedOutput } from './listed-outputs.ts';
import { OutputTable } from './output-table.tsx';
import { outputPageQuery, outputStreamsQuery, PER_PAGE } from './queries.ts';
import { texts } from './texts.ts';

export function OutputsPage() {
  const mayRead = useCan('outputs:read');
  return (
    <Page>
      <PageHeader
        title={texts.title}
        about={texts.about}
        actions={
          <NewButton
            label={texts.newOutput}
            group={texts.title}
            to="/outputs/new"
            permission="outputs:create"
          />
        }
      />
      {mayRead ? <Outputs /> : <InlineNotice kind="info">{missingPermission('outputs:read')}</InlineNotice>}
    </Page>
  );
}

function Outputs() {
  const list = useListValues('/outputs', listParams);
  const { values, change } = list;
  const result = useQuery(outputPageQuery(values));
  const { data } = result;
  const { data: states } = useQuery(outputStatesQuery);
  const { data: streams } = useQuery(outputStreamsQuery);
  const { data: types } = useQuery(outputTypesQuery);
  const rows = (data?.outputs ?? []).map((output) => listedOutput(output, { states, streams, types }));
  const missing = states?.missing_nodes.length ?? 0;
  return (
    <>
      {missing > 0 && <InlineNotice kind="warn">{texts.missingNodes(missing)}</InlineNotice>}
      <FindList
        {...{ texts, list, result }}
        total={data?.total}
        perPage={PER_PAGE}
        one="output"
        empty={
          <NothingYet
            icon={<IconShare3 size={20} />}
            texts={texts}
            to="/outputs/new"
            label={texts.newOutput}
            permission="outputs:create"
          />
        }
      >
        {rows.length > 0 && (
          <OutputTable rows={rows} sort={values} onSort={(sort) => change({ ...sort, page: 1 })} />
        )}
      </FindList>
    </>
  );
}
