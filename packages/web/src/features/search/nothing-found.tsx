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
  readonly label: string;
  readonly query?: string;
  readonly range?: TimeRange;
}

const DAY_S = 86_400;
const MAX_CLAUSES = 3;

/** Nothing was found: says what would find something, each only if it is true. */
export function NothingFound({ search, run }: { readonly search: SearchState; readonly run: Run }) {
  const offers = [...timeOffers(search), ...clauseOffers(run.query)];
  const counts = useQueries({
    queries: offers.map(({ query, range }) =>
      countQuery(run, {
        ...(query === undefined ? {} : { query }),
        ...(range?.type === 'relative' ? { from: run.span.to - range.from * 1000 } : {}),
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
                key={label}
                onClick={() =>
                  search.commit({
                    ...(query === undefined ? {} : { q: query }),
                    ...(range === undefined ? {} : { t: range }),
                  })
                }
              >
                {label}: {countOf(count, 'message')}
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
      label: seconds === DAY_S ? 'Search the last day' : 'Search the last 30 days',
      range: { type: 'relative', from: seconds, to: 0 },
    }));
}

/** The query without one of its clauses. */
export function clauseOffers(text: string): Offer[] {
  const { query } = parseQuery(text);
  if (query?.type !== 'and') return [];
  return query.parts.slice(0, MAX_CLAUSES).map((part: QueryNode) => ({
    label: `Without ${printQuery(part)}`,
    query: printQuery(allOf(query.parts.filter((other) => other !== part))),
  }));
}
