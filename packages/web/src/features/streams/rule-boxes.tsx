import { Autocomplete, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { FoundSelect, useFoundChoices } from '../../components/found-select.tsx';
import { call } from '../../lib/api/index.ts';
import { inputSource, inputTitleQuery } from '../../lib/inputs/index.ts';
import { RULE } from '../../lib/stream-rules/index.ts';
import classes from './rules.module.css';
import { ruleTexts } from './texts.ts';

export interface RuleBoxProps {
  readonly value: string;
  readonly problem: string | undefined;
  readonly isReadOnly: boolean;
  readonly onChange: (value: string) => void;
}

const MAX_SHOWN = 50;

const fieldsQuery = queryOptions({
  queryKey: ['fields'],
  queryFn: ({ signal }) => call('GET /views/fields', { signal }),
  staleTime: 60_000,
});

/** The name of a field, completed from those that messages have. */
export function FieldBox({ value, problem, isReadOnly, onChange }: RuleBoxProps) {
  const { data } = useQuery(fieldsQuery);
  return (
    <Autocomplete
      aria-label={ruleTexts.field}
      placeholder={ruleTexts.field}
      className={classes.field}
      classNames={{ input: 'mono' }}
      data={(data ?? []).map(({ name }) => name)}
      limit={MAX_SHOWN}
      maxDropdownHeight={320}
      value={value}
      error={problem}
      readOnly={isReadOnly}
      autoComplete="off"
      spellCheck={false}
      onChange={onChange}
    />
  );
}

const ASK_AFTER_MS = 120;
const DAY_S = 86_400;
const MAX_VALUES = 10;

function valuesQuery(field: string, input: string, isWanted: boolean) {
  return queryOptions({
    queryKey: ['values', field, input],
    queryFn: ({ signal }) =>
      call('POST /search/suggest', {
        body: { field, input, timerange: { type: 'relative', range: DAY_S }, size: MAX_VALUES },
        signal,
        isBackground: true,
      }),
    enabled: isWanted && field !== '',
    staleTime: 60_000,
    placeholderData: keepPreviousData,
    meta: { isBackground: true },
  });
}

/** Types whose value is one that messages have. */
const COMPLETED: ReadonlySet<number> = new Set([RULE.exact, RULE.contains]);
const HINTS = new Map<number, string>([
  [RULE.regex, '^web-\\d+$'],
  [RULE.greater, '100'],
  [RULE.smaller, '4'],
]);

export interface ValueBoxProps extends RuleBoxProps {
  readonly field: string;
  readonly type: number;
}

/** The value that is compared, completed from those that messages have in this field. */
export function ValueBox({ field, type, value, problem, isReadOnly, onChange }: ValueBoxProps) {
  const [typed] = useDebouncedValue(value, ASK_AFTER_MS);
  const isCompleted = COMPLETED.has(type) && !isReadOnly;
  const { data } = useQuery(valuesQuery(field.trim(), typed, isCompleted));
  const suggestions = isCompleted && data?.field === field.trim() ? data.suggestions : [];
  const values = [...new Set(suggestions.map((suggestion) => String(suggestion.value)))];
  return (
    <Autocomplete
      aria-label={ruleTexts.value}
      placeholder={HINTS.get(type) ?? ruleTexts.value}
      className={classes.value}
      classNames={{ input: 'mono' }}
      data={values}
      // The server has chosen those that fit.
      filter={({ options }) => options}
      maxDropdownHeight={320}
      value={value}
      error={problem}
      readOnly={isReadOnly}
      autoComplete="off"
      spellCheck={false}
      onChange={onChange}
    />
  );
}

/** One of the inputs that the user may read; its id where there is no title. */
export function InputBox({ value, problem, isReadOnly, onChange }: RuleBoxProps) {
  const any = useFoundChoices(inputSource, '');
  const { data: title } = useQuery({ ...inputTitleQuery(value), enabled: value !== '' });
  const isKnown = value === '' || typeof title === 'string';
  if (any === undefined || any.length === 0 || !isKnown) {
    return (
      <TextInput
        aria-label={ruleTexts.input}
        className={classes.value}
        classNames={{ input: 'mono' }}
        value={value}
        error={problem}
        readOnly={isReadOnly}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  return (
    <FoundSelect
      aria-label={ruleTexts.input}
      placeholder={ruleTexts.input}
      className={classes.value}
      source={inputSource}
      value={value === '' ? null : value}
      valueLabel={title ?? undefined}
      error={problem}
      readOnly={isReadOnly}
      onChange={(next) => onChange(next ?? '')}
    />
  );
}
