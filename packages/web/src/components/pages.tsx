import { Button } from '@mantine/core';
import { useEffect } from 'react';
import { countOf, formatCount } from '../lib/format/index.ts';
import { pageWithin } from '../lib/url/index.ts';
import classes from './pages.module.css';

export interface PagesProps {
  readonly page: number;
  readonly perPage: number;
  readonly total: number;
  /** What is listed: "stream". */
  readonly one: string;
  readonly many?: string;
  /** The total is that of a list that was shown before, until the new one is there. */
  readonly isOld: boolean;
  readonly onPage: (page: number) => void;
}

/**
 * Where in a long list this is, and the way to the rest. Nothing when one page shows all. An address that asks for a
 * page behind the end, because the list has become shorter, leads to the last one.
 */
export function Pages({ page, perPage, total, one, many, isOld, onPage }: PagesProps) {
  const shown = pageWithin(page, total, perPage);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another list or another page is news
  useEffect(() => {
    if (shown !== page && !isOld) onPage(shown);
  }, [shown, page, isOld]);
  if (total <= perPage) return null;
  const last = Math.ceil(total / perPage);
  const from = Math.min((page - 1) * perPage + 1, total);
  const to = Math.min(page * perPage, total);
  return (
    <nav className={classes.pages} aria-label="Pages of the list">
      <span role="status">{`${formatCount(from)}–${formatCount(to)} of ${countOf(total, one, many)}`}</span>
      <Button disabled={page <= 1} onClick={() => onPage(Math.min(page, last + 1) - 1)}>
        Previous
      </Button>
      <Button disabled={page >= last} onClick={() => onPage(page + 1)}>
        Next
      </Button>
    </nav>
  );
}
