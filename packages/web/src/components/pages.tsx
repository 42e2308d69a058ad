import { Button } from '@mantine/core';
import { countOf, formatCount } from '../lib/format/index.ts';
import classes from './pages.module.css';

export interface PagesProps {
  readonly page: number;
  readonly perPage: number;
  readonly total: number;
  /** What is listed: "stream". */
  readonly one: string;
  readonly many?: string;
  readonly onPage: (page: number) => void;
}

/** Where in a long list this is, and the way to the rest. Nothing when one page shows all. */
export function Pages({ page, perPage, total, one, many, onPage }: PagesProps) {
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
