import { Popover } from '@mantine/core';
import { useClickOutside } from '@mantine/hooks';
import type { FieldStatistics } from '@millrace/contract';
import { IconChartHistogram } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, type RefObject, useRef, useState } from 'react';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { IconTool } from '../../../components/icon-tool.tsx';
import { levelName } from '../../../components/level-label.tsx';
import { Sparkline } from '../../../components/sparkline.tsx';
import { ValueBars } from '../../../components/value-bars.tsx';
import { countOf, formatCount, formatShare } from '../../../lib/format/index.ts';
import { Incomplete } from '../incomplete.tsx';
import { statisticsQuery } from '../queries.ts';
import { useEntityTitles } from '../use-entity-titles.ts';
import type { SearchState } from '../use-search.ts';
import classes from './detail.module.css';
import { trendOf } from './trend.ts';

interface StatisticsButtonProps {
  readonly field: string;
  readonly search: SearchState;
}

/** What a field holds in all messages of the search. */
export function StatisticsButton({ field, search }: StatisticsButtonProps) {
  'use memo';
  const [isOpen, setOpen] = useState(false);
  const frame = useRef<HTMLSpanElement>(null);
  const label = `Statistics of ${field}`;
  return (
    <span ref={frame} className={classes.statisticsFrame}>
      <IconTool label={label} isExpanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <IconChartHistogram size={14} />
      </IconTool>
      {isOpen && (
        <StatisticsPopover label={label} frame={frame} onClose={() => setOpen(false)}>
          <Statistics field={field} search={search} onDone={() => setOpen(false)} />
        </StatisticsPopover>
      )}
    </span>
  );
}

interface StatisticsPopoverProps {
  readonly label: string;
  /** The button is in it. */
  readonly frame: RefObject<HTMLSpanElement | null>;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Only there while it is open: each field has one. */
function StatisticsPopover({ label, frame, onClose, children }: StatisticsPopoverProps) {
  const [dropdown, setDropdown] = useState<HTMLDivElement | null>(null);
  useClickOutside(onClose, null, [frame.current, dropdown]);
  const closeByKey = () => {
    frame.current?.querySelector('button')?.focus();
    onClose();
  };
  return (
    <Popover
      opened
      width={360}
      position="bottom-start"
      trapFocus
      closeOnClickOutside={false}
      onDismiss={closeByKey}
    >
      <Popover.Target>
        <span className={classes.statisticsAnchor} />
      </Popover.Target>
      <Popover.Dropdown ref={setDropdown} aria-label={label}>
        {children}
      </Popover.Dropdown>
    </Popover>
  );
}

function Statistics({ field, search, onDone }: StatisticsButtonProps & { readonly onDone: () => void }) {
  const { data, error, refetch } = useQuery(statisticsQuery(search.run, field));
  const titleOf = useEntityTitles(field, data?.values.map(({ value }) => value) ?? []);
  if (error !== null) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <div className={classes.statisticsSpace} aria-busy="true" />;
  const { present, total, distinct, types, numbers, values } = data;
  return (
    <div className={classes.statistics}>
      <h2>
        <bdi>{field}</bdi>
      </h2>
      <p className={classes.dim}>
        In {formatCount(present)} of {formatCount(total)} messages
        {total > 0 && ` (${formatShare(present / total)})`}, {countOf(distinct, 'different value')},{' '}
        {types.map(({ type }) => type).join(' and ')}
      </p>
      <Incomplete answer={data} />
      {numbers !== null && <Numbers numbers={numbers} />}
      <Sparkline values={trendOf(data)} label={`Messages with ${field} over time`} width={328} height={32} />
      <ValueBars
        values={values.map(({ value, count }) => {
          const title = field === 'level' ? levelName(value) : titleOf(field, value);
          return { value, count, ...(title === undefined ? {} : { label: title }) };
        })}
        total={present}
        hasCounts
        onChoose={(value) => {
          onDone();
          search.actions.include(field, value);
        }}
        onExclude={(value) => {
          onDone();
          search.actions.exclude(field, value);
        }}
      />
    </div>
  );
}

const decimals = new Intl.NumberFormat('en', { maximumSignificantDigits: 6, useGrouping: false });

function Numbers({ numbers }: { readonly numbers: NonNullable<FieldStatistics['numbers']> }) {
  const { min, mean, max, percentiles } = numbers;
  const figures = [
    ['Least', min],
    ['Mean', mean],
    ['Median', percentiles['50']],
    ['95 %', percentiles['95']],
    ['99 %', percentiles['99']],
    ['Most', max],
  ] as const;
  return (
    <dl className={classes.numbers}>
      {figures.map(([label, figure]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{decimals.format(figure ?? 0)}</dd>
        </div>
      ))}
    </dl>
  );
}
