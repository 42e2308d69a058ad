import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { LevelHistogram } from '../../components/level-histogram.tsx';
import { PartBoundary } from '../../components/part-boundary.tsx';
import { usePreferences } from '../../lib/account/index.ts';
import { addClause } from '../../lib/edit-query/index.ts';
import { useShortcuts } from '../../lib/keys/index.ts';
import { usePageTitle } from '../../lib/page-title.ts';
import { TimeZoneProvider } from '../../lib/time/index.ts';
import { FieldSidebar } from './field-sidebar.tsx';
import { GroupView } from './group-view.tsx';
import { LiveView } from './live-view.tsx';
import { MessagesView } from './messages-view.tsx';
import { PatternsView } from './patterns-view.tsx';
import { histogramQuery } from './queries.ts';
import { QueryBar } from './query-bar.tsx';
import { ResultBar } from './result-bar.tsx';
import classes from './search.module.css';
import { texts } from './texts.ts';
import { type SearchState, useSearchState } from './use-search.ts';

const NARROW = '(max-width: 640px)';

export function SearchPage() {
  const search = useSearchState();
  const { values, zone } = search;
  const [{ showFields, showHistogram }, changePreferences] = usePreferences();
  const [areFieldsOpen, setFieldsOpen] = useState(false);
  const isNarrow = useMediaQuery(NARROW, window.matchMedia(NARROW).matches) ?? false;
  usePageTitle(values.q === '*' ? texts.title : values.q.slice(0, 60));
  const hasFields = isNarrow ? areFieldsOpen : showFields;
  const toggleFields = () =>
    isNarrow ? setFieldsOpen(!areFieldsOpen) : changePreferences({ showFields: !showFields });
  useShortcuts([
    { keys: 'f', label: texts.fields, group: texts.title, run: toggleFields },
    {
      keys: 'h',
      label: 'Histogram',
      group: texts.title,
      run: () => changePreferences({ showHistogram: !showHistogram }),
    },
  ]);
  return (
    <TimeZoneProvider value={zone}>
      <div className={classes.page}>
        <h1 className="visually-hidden">{texts.title}</h1>
        <QueryBar search={search} />
        <ResultBar search={search} hasFields={hasFields} onToggleFields={toggleFields} />
        {showHistogram && !values.live && (
          <PartBoundary>
            <Histogram search={search} />
          </PartBoundary>
        )}
        <div className={classes.body}>
          {hasFields && !values.live && (
            <PartBoundary>
              <FieldSidebar search={search} />
            </PartBoundary>
          )}
          <PartBoundary>
            <View search={search} isNarrow={isNarrow} />
          </PartBoundary>
        </div>
      </div>
    </TimeZoneProvider>
  );
}

function View({ search, isNarrow }: { readonly search: SearchState; readonly isNarrow: boolean }) {
  const { live, view } = search.values;
  if (live) return <LiveView search={search} isNarrow={isNarrow} />;
  if (view === 'patterns') return <PatternsView search={search} />;
  if (view === 'group') return <GroupView search={search} />;
  return <MessagesView search={search} isNarrow={isNarrow} />;
}

const LEVEL_FIELD = 'level';

function Histogram({ search }: { readonly search: SearchState }) {
  const { run, commit, values, actions } = search;
  const { data, error, isPlaceholderData, refetch } = useQuery(histogramQuery(run));
  if (error !== null) {
    return (
      <div className={classes.notice}>
        <ErrorNotice error={error} onRetry={() => void refetch()} />
      </div>
    );
  }
  if (data === undefined) return <div className={classes.histogramSpace} />;
  return (
    <LevelHistogram
      bars={data.bars}
      intervalMs={data.interval.ms}
      span={data.span}
      isStale={isPlaceholderData}
      onZoom={(span) => commit({ t: { type: 'absolute', ...span } })}
      onChooseLevels={(levels) => {
        const [only] = levels;
        if (levels.length === 1 && only !== undefined) actions.include(LEVEL_FIELD, only);
        else commit({ q: levelsQuery(values.q, levels) });
      }}
    />
  );
}

function levelsQuery(query: string, levels: readonly number[]): string {
  return addClause(query, `${LEVEL_FIELD}:(${levels.join(' OR ')})`);
}
