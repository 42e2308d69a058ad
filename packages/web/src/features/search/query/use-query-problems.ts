import { useDebouncedValue } from '@mantine/hooks';
import { explainQuery, parseQuery, type QueryProblem } from '@millrace/query';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call } from '../../../lib/api/index.ts';

const ASK_AFTER_MS = 300;

export interface QueryReading {
  readonly problems: readonly QueryProblem[];
  /** What it finds, in words; undefined while it has errors. */
  readonly meaning: string | undefined;
}

/** What is wrong with a query: errors at once, what only the server knows (fields nobody has) a little later. */
export function useQueryProblems(text: string, streams: readonly string[], zone: string): QueryReading {
  const parsed = useMemo(() => parseQuery(text), [text]);
  const [settled] = useDebouncedValue(text, ASK_AFTER_MS);
  const { data } = useQuery({
    queryKey: ['query-validation', settled, streams, zone],
    enabled: settled === text && settled.trim() !== '' && parsed.query !== undefined,
    staleTime: 30_000,
    retry: false,
    queryFn: ({ signal }) =>
      call('POST /search/validate', { body: { query: settled, streams, time_zone: zone }, signal }),
  });
  return useMemo(() => {
    const fromServer = settled === text ? (data?.explanations ?? []) : [];
    const unknown = fromServer
      .filter(({ severity, error_type }) => severity === 'WARNING' && error_type !== 'INVALID_OPERATOR')
      .map(
        (explanation): QueryProblem => ({
          severity: 'warning',
          message: explanation.error_message,
          at: {
            from: offsetOf(text, explanation.begin_line, explanation.begin_column),
            to: offsetOf(text, explanation.end_line, explanation.end_column),
          },
          ...(explanation.suggestion === undefined ? {} : { suggestion: explanation.suggestion }),
          ...(explanation.replacement === undefined ? {} : { replacement: explanation.replacement }),
        }),
      );
    const isNew = ({ message }: QueryProblem) => !parsed.problems.some((other) => other.message === message);
    return {
      problems: [...parsed.problems, ...unknown.filter(isNew)],
      meaning: parsed.query === undefined ? undefined : explainQuery(parsed.query),
    };
  }, [parsed, data, settled, text]);
}

/** Lines count from 1, columns from 0. */
export function offsetOf(text: string, line: number, column: number): number {
  const before = text.split('\n').slice(0, line - 1);
  return before.reduce((sum, each) => sum + each.length + 1, 0) + column;
}
