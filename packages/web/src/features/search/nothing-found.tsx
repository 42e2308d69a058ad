import { Button } from '@mantine/core';
import { allOf, parseQuery, printQuery, type QueryNode } from '@millrace/query';
import { IconSearchOff } from '@tabler/icons-react';
import { useQueries } from '@tanstack/react-query';
import { EmptyState } from '../../components/empty-state.tsx';
import { countOf } from '../../lib/format/index.ts';
import { describeTimeRange, type TimeRange } from '../../lib/time/index.ts';
import { countQuery } from './queries.ts';
import type { Run } from './run.ts';
import classes from './search.module.css';
import { texts } from './texts.ts';
import type { SearchState } from './use-search.ts';

interface Offer {
  readonly label: (count: string) => string;
  readonly query?: string;
  readonly range?: TimeRange;
}

const DAY_S = 86_400;
const FUTURE_MS = 10 * 365 * DAY_S * 1000;
const MAX_CLAUSES = 3;

/** Nothing was found: says what would find something, each only if it is true. */
export function NothingFound({ search, run }: { readonly search: SearchState; readonly run: Run }) {
  const offers = [...timeOffers(search), ...futureOffers(search, run), ...clauseOffers(run.query)];
  const counts = useQueries({
    queries: offers.map(({ query, range }) =>
      countQuery(run, {
        ...(query === undefined ? {} : { query }),
        ...(range?.type === 'relative' ? { from: run.span.to - range.from * 1000 } : {}),
        ...(range?.type === 'absolute' ? { from: range.from, to: range.to } : {}),
      }),
    ),
  });
  const isAsking = counts.some(({ isPending }) => isPending);
  const useful = offers.flatMap((offer, at) => {
    const count = counts[at]?.data ?? 0;
    return count > 0 ? [{ ...offer, count }] : [];
  });
  return (
    <div className={classes.state}>
      <EmptyState
        icon={<IconSearchOff size={20} />}
        title={texts.none(describeTimeRange(search.values.t, search.zone))}
        action={
          <div className={classes.offers}>
            {useful.map(({ label, query, range, count }) => (
              <Button
                key={label('')}
                onClick={() =>
                  search.commit({
                    ...(query === undefined ? {} : { q: query }),
                    ...(range === undefined ? {} : { t: range }),
                  })
                }
              >
                {label(countOf(count, 'message'))}
              </Button>
            ))}
          </div>
        }
      >
        {useful.length > 0 ? texts.noneWhy : isAsking ? '' : texts.noneAtAll}
      </EmptyState>
    </div>
  );
}

/** Longer ranges that end now, for a range that does. */
function timeOffers({ values }: SearchState): Offer[] {
  const { t } = values;
  const length = t.type === 'relative' && t.to === 0 ? t.from : 0;
  return [DAY_S, 30 * DAY_S]
    .filter((seconds) => seconds > length)
    .map((seconds) => ({
      label: (count) => `${seconds === DAY_S ? 'Search the last day' : 'Search the last 30 days'}: ${count}`,
      range: { type: 'relative', from: seconds, to: 0 },
    }));
}

/** A sender whose clock is ahead: its messages are not in any range that ends now. */
function futureOffers({ values }: SearchState, { span }: Run): Offer[] {
  if (values.t.type !== 'relative' || values.t.to !== 0) return [];
  return [
    {
      label: (count) => `Dated after now, by a clock that is ahead: ${count}`,
      range: { type: 'absolute', from: span.to + 1, to: span.to + FUTURE_MS },
    },
  ];
}

/** The query without one of its clauses. */
export function clauseOffers(text: string): Offer[] {
  const { query } = parseQuery(text);
  if (query?.type !== 'and') return [];
  return query.parts.slice(0, MAX_CLAUSES).map((part: QueryNode) => ({
    label: (count) => `Without ${printQuery(part)}: ${count}`,
    query: printQuery(allOf(query.parts.filter((other) => other !== part))),
  }));
}
