import { Button, Popover } from '@mantine/core';
import type { MessagePattern } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { EmptyState } from '../../../components/empty-state.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { LevelLabel, levelName } from '../../../components/level-label.tsx';
import { LogText } from '../../../components/log-text.tsx';
import { Sparkline } from '../../../components/sparkline.tsx';
import { ValueBars } from '../../../components/value-bars.tsx';
import { addClause, valueClause } from '../../../lib/edit-query/index.ts';
import { countOf, formatCount, formatShare } from '../../../lib/format/index.ts';
import { Incomplete } from '../incomplete.tsx';
import { patternsQuery } from '../queries.ts';
import type { SearchState } from '../use-search.ts';
import classes from './patterns.module.css';

/** Thousands of lines as the few sentences they are made of. */
export function PatternsView({ search }: { readonly search: SearchState }) {
  const { data, error, refetch, isPlaceholderData } = useQuery(patternsQuery(search.run));
  if (error !== null) {
    return (
      <div className={classes.view}>
        <ErrorNotice error={error} onRetry={() => void refetch()} />
      </div>
    );
  }
  if (data === undefined) return <div className={classes.view} aria-busy="true" />;
  if (data.patterns.length === 0) {
    return (
      <div className={classes.view}>
        <Incomplete answer={data} />
        <EmptyState title="No message matches, so there are no patterns" />
      </div>
    );
  }
  const sign = data.sampled ? '~' : '';
  return (
    <section className={classes.view} data-stale={isPlaceholderData} aria-label="Patterns">
      <p className={classes.summary}>
        {countOf(data.total_patterns, 'pattern')} in {countOf(data.sample_size, 'message')}
        {data.sampled && `, taken by chance of ${formatCount(data.total)}: counts are estimates`}
        {data.patterns.length < data.total_patterns &&
          `; the ${data.patterns.length} most frequent are shown`}
        .
      </p>
      <Incomplete answer={data} />
      <ol className={classes.patterns}>
        {data.patterns.map((pattern) => (
          <Pattern key={pattern.pattern} pattern={pattern} sign={sign} search={search} />
        ))}
      </ol>
    </section>
  );
}

interface PatternProps {
  readonly pattern: MessagePattern;
  readonly sign: string;
  readonly search: SearchState;
}

function Pattern({ pattern, sign, search }: PatternProps) {
  const { commit } = search;
  const { query } = pattern;
  return (
    <li className={classes.pattern}>
      <span className={classes.share}>
        <span className={classes.fill} style={{ inlineSize: `${pattern.share * 100}%` }} />
        <span>{formatShare(pattern.share)}</span>
      </span>
      <span className={classes.count}>
        {sign}
        {formatCount(pattern.count)}
      </span>
      <Sparkline values={pattern.trend} label={trendLabel(pattern.trend)} width={72} />
      <Levels pattern={pattern} />
      <span className={classes.template}>
        {pattern.template.map((part, at) =>
          'text' in part ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place in the template
            <LogText key={at} text={part.text} />
          ) : (
            <Variable
              // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place in the template
              key={at}
              part={part}
              onChoose={(value) =>
                commit(({ q }) => ({
                  q: addClause(addClause(q, query ?? '*'), valueClause('message', value)),
                  view: 'messages',
                }))
              }
            />
          ),
        )}
      </span>
      {query !== null && (
        <Button
          size="compact-xs"
          onClick={() => commit(({ q }) => ({ q: addClause(q, query), view: 'messages' }))}
        >
          Show messages
        </Button>
      )}
    </li>
  );
}

/** The most severe level, and how often each came. */
function Levels({ pattern: { levels } }: { readonly pattern: MessagePattern }) {
  const [worst] = levels;
  if (worst === undefined) return <span />;
  const all = levels.map(({ level, count }) => `${levelName(String(level)) ?? level}: ${formatCount(count)}`);
  return (
    <span className={classes.levels} title={all.join(', ')}>
      <LevelLabel level={worst.level} />
      {levels.length > 1 && <span className={classes.more}>+{levels.length - 1}</span>}
    </span>
  );
}

function trendLabel(trend: readonly number[]): string {
  const half = trend.length / 2;
  const sum = (parts: readonly number[]) => parts.reduce((total, part) => total + part, 0);
  return `First half of the time ${formatCount(sum(trend.slice(0, half)))}, second half ${formatCount(sum(trend.slice(half)))}`;
}

interface VariableProps {
  readonly part: Extract<MessagePattern['template'][number], { readonly variable: string }>;
  readonly onChoose: (value: string) => void;
}

/** What varies, with its values behind it. */
function Variable({ part, onChoose }: VariableProps) {
  const { variable, values, distinct, more } = part;
  const label = variable === 'any' ? '*' : variable;
  if (values.length === 0) return <span className={classes.rest}>…</span>;
  return (
    <Popover width={320} trapFocus returnFocus>
      <Popover.Target>
        <button type="button" className={classes.variable} title={`${formatCount(distinct)} values`}>
          {label}
        </button>
      </Popover.Target>
      <Popover.Dropdown>
        <p className={classes.summary}>
          {more ? 'More than ' : ''}
          {countOf(distinct, 'different value')}
        </p>
        <ValueBars values={values} onChoose={onChoose} />
      </Popover.Dropdown>
    </Popover>
  );
}
