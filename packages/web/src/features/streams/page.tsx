import { IconGitFork } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { EmptyState } from '../../components/empty-state.tsx';
import { FindList } from '../../components/find-list.tsx';
import { NewButton } from '../../components/new-button.tsx';
import { Page, PageHeader } from '../../components/page-header.tsx';
import { useListValues } from '../../components/use-list-values.ts';
import { BulkBar } from './bulk-bar.tsx';
import { type ListValues, listParams } from './list-params.ts';
import { PER_PAGE, streamPageQuery } from './queries.ts';
import { StreamTable } from './stream-table.tsx';
import { texts } from './texts.ts';

const NOTHING: ReadonlySet<string> = new Set();

export function StreamsPage() {
  const { values, change: changeValues } = useListValues('/streams', listParams);
  const [selected, setSelected] = useState(NOTHING);
  const result = useQuery(streamPageQuery(values));
  const change = (next: Partial<ListValues>) => {
    setSelected(NOTHING);
    changeValues(next);
  };
  const streams = result.data?.elements ?? [];
  return (
    <Page>
      <PageHeader
        title={texts.title}
        about={texts.about}
        actions={
          <NewButton
            label={texts.newStream}
            group={texts.title}
            to="/streams/new"
            permission="streams:create"
          />
        }
      />
      <FindList
        {...{ texts, result }}
        list={{ values, change }}
        total={result.data?.total}
        perPage={PER_PAGE}
        one="stream"
        empty={
          <EmptyState icon={<IconGitFork size={20} />} title={texts.empty}>
            {texts.emptyWhy}
          </EmptyState>
        }
      >
        {selected.size > 0 && (
          <BulkBar ids={selected} streams={streams} onClear={() => setSelected(NOTHING)} />
        )}
        {streams.length > 0 && (
          <StreamTable
            streams={streams}
            sort={values}
            onSort={(sort) => change({ ...sort, page: 1 })}
            selected={selected}
            onSelect={setSelected}
          />
        )}
      </FindList>
    </Page>
  );
}
