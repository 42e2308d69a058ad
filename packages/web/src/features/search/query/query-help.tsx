import { Button } from '@mantine/core';
import type { QueryProblem } from '@millrace/query';
import { IconAlertTriangle, IconBlockquote, IconCircleX } from '@tabler/icons-react';
import { messageOf } from '../../../lib/api/index.ts';
import { problemText } from '../cannot-run.tsx';
import classes from '../search.module.css';
import { texts } from '../texts.ts';
import type { SearchState } from '../use-search.ts';

export interface QueryHelpProps {
  readonly search: SearchState;
  readonly problem: QueryProblem | undefined;
  readonly meaning: string | undefined;
  readonly draft: string;
  readonly onFix: (text: string) => void;
  /** A pasted text was quoted: takes the quotes away again. */
  readonly onUnquote: (() => void) | undefined;
}

/** What the query means, or what is wrong with it: one line, always there. */
export function QueryHelp({ search, problem, meaning, draft, onFix, onUnquote }: QueryHelpProps) {
  'use memo';
  const { runError, wrong } = search;
  if (problem !== undefined) {
    return <ProblemLine problem={problem} onFix={() => onFix(problem.replacement ?? draft)} />;
  }
  if (onUnquote !== undefined) {
    return (
      <p className={classes.problem} data-severity="info" role="status">
        <IconBlockquote size={14} aria-hidden="true" />
        <span>{texts.quoted}</span>
        <Button size="compact-xs" onClick={onUnquote}>
          {texts.undo}
        </Button>
      </p>
    );
  }
  if (runError !== null) {
    return (
      <p className={classes.problem} data-severity="error">
        <span>{messageOf(runError)}</span>
      </p>
    );
  }
  if (wrong.length > 0) {
    return (
      <p className={classes.problem} data-severity="warning">
        <span>{texts.wrongParams(wrong)}</span>
      </p>
    );
  }
  return <p className={classes.meaning}>{draft.trim() === '' ? texts.allMessages : meaning}</p>;
}

function ProblemLine({ problem, onFix }: { readonly problem: QueryProblem; readonly onFix: () => void }) {
  const Icon = problem.severity === 'error' ? IconCircleX : IconAlertTriangle;
  const text = problemText(problem);
  return (
    <p className={classes.problem} data-severity={problem.severity}>
      <Icon size={14} aria-hidden="true" />
      <span title={text}>{text}</span>
      {problem.replacement !== undefined && (
        <Button size="compact-xs" onClick={onFix}>
          {texts.fix}
        </Button>
      )}
    </p>
  );
}
