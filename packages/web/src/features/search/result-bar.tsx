import { Button, SegmentedControl, Tooltip } from '@mantine/core';
import { IconAccessPoint, IconLayoutSidebar } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useShortcuts } from '../../lib/keys/index.ts';
import {
  describeSpan,
  formatDuration,
  parseInstant,
  useTimeZone,
  wholeSeconds,
  zoneName,
} from '../../lib/time/index.ts';
import { foundText, useCounted } from './found-count.ts';
import { HighlightMenu } from './list/highlight-menu.tsx';
import { MoreMenu } from './more-menu.tsx';
import { messagesQuery } from './queries.ts';
import classes from './search.module.css';
import { searchedBackTo } from './session/run-notice.tsx';
import { StepButtons } from './session/step-buttons.tsx';
import { texts } from './texts.ts';
import type { SearchState } from './use-search.ts';

const VIEWS = [
  { value: 'messages' as const, label: texts.messages },
  { value: 'patterns' as const, label: texts.patterns },
  { value: 'group' as const, label: texts.group },
];

export interface ResultBarProps {
  readonly search: SearchState;
  readonly hasFields: boolean;
  readonly onToggleFields: () => void;
}

/** How many were found, when, how fast; and the ways to look at them. */
export function ResultBar({ search, hasFields, onToggleFields }: ResultBarProps) {
  'use memo';
  const { values, commit, change } = search;
  const label = hasFields ? texts.hideFields : texts.showFields;
  const goLive = () => commit({ live: true, view: 'messages' });
  const nextView = VIEWS[(VIEWS.findIndex(({ value }) => value === values.view) + 1) % VIEWS.length];
  useShortcuts([
    { keys: 'l', label: texts.live, group: texts.title, run: () => !values.live && goLive() },
    {
      keys: 'v',
      label: 'Next view',
      group: texts.title,
      run: () => !values.live && nextView !== undefined && change({ view: nextView.value }),
    },
  ]);
  if (values.live) return null;
  return (
    <div className={classes.results}>
      <Tooltip label={`${label} (f)`}>
        <Button
          size="xs"
          aria-label={label}
          aria-pressed={hasFields}
          leftSection={<IconLayoutSidebar size={16} />}
          onClick={onToggleFields}
        >
          <span className={classes.buttonText}>{texts.fields}</span>
        </Button>
      </Tooltip>
      <Totals search={search} />
      <SegmentedControl
        aria-label="View"
        data={VIEWS}
        value={values.view}
        onChange={(view) => change({ view: view as SearchState['values']['view'] })}
      />
      <Tooltip label={`${texts.live} (l)`}>
        <Button
          size="xs"
          aria-label={texts.live}
          leftSection={<IconAccessPoint size={16} />}
          onClick={goLive}
        >
          <span className={classes.buttonText}>{texts.live}</span>
        </Button>
      </Tooltip>
      <HighlightMenu search={search} />
      <StepButtons steps={search.steps} />
      <MoreMenu search={search} />
    </div>
  );
}

function Totals({ search }: { readonly search: SearchState }) {
  'use memo';
  const zone = useTimeZone();
  const { data, isPlaceholderData } = useInfiniteQuery(messagesQuery(search.run));
  const counted = useCounted(search);
  const [first] = data?.pages ?? [];
  if (first === undefined || search.run === undefined) return <p className={classes.totals} />;
  const { span } = search.run;
  const { view } = search.values;
  const searchedFrom = parseInstant(first.searched_from ?? '');
  return (
    <p className={classes.totals} role="status" data-stale={isPlaceholderData}>
      <strong>{foundText(first, view, counted)}</strong>
      <span className={classes.when}>
        {describeSpan(wholeSeconds(span), zone)} {zoneName(span.to, zone)}
      </span>
      <span className={classes.took}>
        {searchedFrom === undefined
          ? formatDuration(first.time)
          : view === 'messages' && texts.searching(searchedBackTo(searchedFrom, span, zone))}
      </span>
    </p>
  );
}
