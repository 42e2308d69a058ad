import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import {
  problemsInAnswer,
  type RuleWords,
  ruleProblems,
  type SourceProblem,
  signaturesOf,
} from '../../../lib/rule-language/index.ts';
import { fieldNamesQuery, functionsQuery, parseQuery } from '../queries.ts';

const ASK_AFTER_MS = 300;

/** What the editor suggests. */
export function useRuleWords(): RuleWords {
  const { data: functions = [] } = useQuery(functionsQuery);
  const { data: fields = [] } = useQuery(fieldNamesQuery);
  return useMemo(() => ({ functions, fields }), [functions, fields]);
}

/** Problems of the language at once; what only the server knows a moment later, for those whom it answers. */
export function useRuleProblems(source: string, mayAsk: boolean): readonly SourceProblem[] {
  const { data: functions } = useQuery(functionsQuery);
  const signatures = useMemo(() => functions && signaturesOf(functions), [functions]);
  const local = useMemo(() => ruleProblems(source, signatures), [source, signatures]);
  const [settled] = useDebouncedValue(source, ASK_AFTER_MS);
  const isSettled = settled === source;
  const isAsked = mayAsk && isSettled && local.length === 0 && signatures !== undefined;
  const { error } = useQuery({ ...parseQuery(settled), enabled: isAsked });
  const answered = useMemo(() => problemsInAnswer(error, settled), [error, settled]);
  if (local.length > 0) return local;
  return isSettled ? answered : NONE;
}

const NONE: readonly SourceProblem[] = [];
