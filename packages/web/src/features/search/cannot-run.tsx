import { Button } from '@mantine/core';
import { parseQuery, type QueryProblem } from '@millrace/query';
import { IconAlertTriangle } from '@tabler/icons-react';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { ApiError, messageOf } from '../../lib/api/index.ts';
import classes from './search.module.css';
import { DEFAULT_RANGE, type SearchValues } from './search-params.ts';
import { texts } from './texts.ts';
import type { SearchState } from './use-search.ts';

/** The search cannot be run, and there is none from before to show. */
export function isStuck({ run, runError, values }: SearchState): boolean {
  return run === undefined && (runError !== null || parseQuery(values.q).query === undefined);
}

/** The search of a link that cannot be run: why, and one that can. */
export function CannotRun({ search }: { readonly search: SearchState }) {
  const { values, runError, commit } = search;
  const obstacle = obstacleOf(values, runError);
  if (obstacle === undefined) {
    return (
      <div className={classes.state}>
        {runError !== null && <ErrorNotice error={runError} onRetry={() => commit({})} />}
      </div>
    );
  }
  const { title, why, changes, label } = obstacle;
  return (
    <div className={classes.state}>
      <EmptyState
        icon={<IconAlertTriangle size={20} />}
        title={title}
        action={
          <Button variant="filled" onClick={() => commit(changes)}>
            {label}
          </Button>
        }
      >
        {why}
      </EmptyState>
    </div>
  );
}

interface Obstacle {
  readonly title: string;
  readonly why: string;
  /** The next step. */
  readonly label: string;
  readonly changes: Partial<SearchValues>;
}

const SERVER_ERROR = 500;

/** What is wrong with the search itself; undefined when it is something else, such as the network. */
export function obstacleOf({ q, t }: SearchValues, runError: Error | null): Obstacle | undefined {
  const { query, problems } = parseQuery(q);
  if (query === undefined) {
    const problem = problems.find(({ severity }) => severity === 'error');
    const { replacement } = problem ?? {};
    return {
      title: texts.invalid,
      why: problem === undefined ? '' : problemText(problem),
      label: replacement === undefined ? texts.showAll : texts.fixTo(replacement),
      changes: { q: replacement ?? '*' },
    };
  }
  if (t.type !== 'words' || !(runError instanceof ApiError) || runError.status >= SERVER_ERROR)
    return undefined;
  return {
    title: texts.invalidTime(t.text),
    why: messageOf(runError),
    label: texts.usualTime,
    changes: { t: DEFAULT_RANGE },
  };
}

export function problemText({ message, suggestion }: QueryProblem): string {
  return [message, suggestion].filter((part) => part !== undefined).join(' ');
}
