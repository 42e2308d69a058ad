import { useMediaQuery } from '@mantine/hooks';
import { useState } from 'react';
import { PartBoundary } from '../../components/part-boundary.tsx';
import { usePreferences } from '../../lib/account/index.ts';
import { useShortcuts } from '../../lib/keys/index.ts';
import { lazyPart } from '../../lib/lazy-part.tsx';
import { usePageTitle } from '../../lib/page-title.ts';
import { TimeZoneProvider } from '../../lib/time/index.ts';
import { CannotRun, isStuck } from './cannot-run.tsx';
import { FieldSidebar } from './fields/field-sidebar.tsx';
import { Histogram } from './histogram/histogram.tsx';
import { IncompleteNotice } from './incomplete.tsx';
import { MessagesView } from './list/messages-view.tsx';
import { QueryBar } from './query/query-bar.tsx';
import { ResultBar } from './result-bar.tsx';
import classes from './search.module.css';
import { RunNotice } from './session/run-notice.tsx';
import { SearchTabs } from './session/search-tabs.tsx';
import { texts } from './texts.ts';
import { type SearchState, useSearchState } from './use-search.ts';
import { createVisibleSpan, VisibleSpanContext } from './visible-span.ts';

const Meanwhile = () => <div className={classes.state} aria-busy="true" />;

/** Most visits only read messages. */
const GroupView = lazyPart(async () => (await import('./groups/group-view.tsx')).GroupView, { Meanwhile });
const LiveView = lazyPart(async () => (await import('./live/live-view.tsx')).LiveView, { Meanwhile });
const PatternsView = lazyPart(async () => (await import('./patterns/patterns-view.tsx')).PatternsView, {
  Meanwhile,
});

const NARROW = '(max-width: 640px)';

export function SearchPage() {
  'use memo';
  const search = useSearchState();
  const { values, zone } = search;
  const [{ showFields, showHistogram }, changePreferences] = usePreferences();
  const [visibleSpan] = useState(createVisibleSpan);
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
      <VisibleSpanContext value={visibleSpan}>
        <div className={classes.page}>
          <h1 className="visually-hidden">{texts.title}</h1>
          <SearchTabs search={search} />
          <QueryBar search={search} />
          <ResultBar search={search} hasFields={hasFields} onToggleFields={toggleFields} />
          {/* Whoever follows live does not wait for the search: it ends when nothing looks at it. */}
          {!values.live && <RunNotice search={search} />}
          {!values.live && <IncompleteNotice search={search} />}
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
      </VisibleSpanContext>
    </TimeZoneProvider>
  );
}

function View({ search, isNarrow }: { readonly search: SearchState; readonly isNarrow: boolean }) {
  'use memo';
  const { live, view } = search.values;
  if (live) return <LiveView search={search} isNarrow={isNarrow} />;
  if (isStuck(search)) return <CannotRun search={search} />;
  if (view === 'patterns') return <PatternsView search={search} />;
  if (view === 'group') return <GroupView search={search} />;
  return <MessagesView search={search} isNarrow={isNarrow} />;
}
