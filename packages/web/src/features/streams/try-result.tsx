import { useDebouncedValue } from '@mantine/hooks';
import { IconCheck, IconX } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { StateBadge } from '../../components/state-badge.tsx';
import { ApiError, call } from '../../lib/api/index.ts';
import { fieldText, type LogMessage } from '../../lib/messages/index.ts';
import { RULE, type Rule, ruleKind } from '../../lib/stream-rules/index.ts';
import { completeRules, type RulesDraft, requestOf } from './rule-draft.ts';
import classes from './rules.module.css';
import { ruleTexts } from './texts.ts';

const TRY_AFTER_MS = 300;
const SHOWN_CHARACTERS = 80;

function useTried(draft: RulesDraft, message: LogMessage) {
  const [settled] = useDebouncedValue(draft, TRY_AFTER_MS);
  const rules = completeRules(settled).map(({ rule }) => rule);
  const body = {
    rules: rules.map((rule) => {
      const { id: _id, ...request } = requestOf(rule) as ReturnType<typeof requestOf> & { id?: string };
      return request;
    }),
    matching_type: settled.matchingType,
    sample: 0,
    message: { ...message.fields },
  };
  const query = useQuery({
    queryKey: ['streams', 'tried', body],
    queryFn: ({ signal }) => call('POST /streams/preview', { body, signal }),
    placeholderData: keepPreviousData,
    retry: false,
  });
  return { rules, ...query };
}

/** Whether one message gets into the stream, rule by rule. */
export function TryResult({ draft, message }: { readonly draft: RulesDraft; readonly message: LogMessage }) {
  const { rules, data, error, isPlaceholderData } = useTried(draft, message);
  // What is wrong with a rule stands beside it.
  if (error !== null)
    return error instanceof ApiError && error.problems.length > 0 ? null : <ErrorNotice error={error} />;
  const result = data?.message;
  if (result === undefined) return null;
  return (
    <div className={classes.tried} data-stale={isPlaceholderData} role="status">
      <ul className={classes.reasons}>
        {!isPlaceholderData &&
          rules.map((rule, place) => (
            <Reason
              key={rule.key}
              rule={rule}
              message={message}
              isMatch={result.rules[place]?.matched ?? false}
              isSlow={result.timed_out && !(result.rules[place]?.matched ?? false)}
            />
          ))}
      </ul>
      <StateBadge tone={result.matches ? 'ok' : 'dim'}>
        {result.matches ? ruleTexts.inStream : ruleTexts.notInStream}
      </StateBadge>
    </div>
  );
}

interface ReasonProps {
  readonly rule: Rule;
  readonly message: LogMessage;
  readonly isMatch: boolean;
  readonly isSlow: boolean;
}

/** `level 3 is smaller than 4: yes` */
function Reason({ rule, message, isMatch, isSlow }: ReasonProps) {
  const { verb, notVerb, hasField, hasValue } = ruleKind(rule.type);
  const field = rule.type === RULE.input ? 'gl2_source_input' : rule.field.trim();
  const value = message.fields[field];
  const Icon = isMatch ? IconCheck : IconX;
  return (
    <li data-match={isMatch}>
      <Icon size={14} aria-hidden="true" />
      <span>
        {hasField && (
          <>
            <code>{field}</code>{' '}
            {value === undefined || value === null ? (
              <em>{ruleTexts.missing}</em>
            ) : (
              <bdi className="mono">{fieldText(value).slice(0, SHOWN_CHARACTERS)}</bdi>
            )}{' '}
          </>
        )}
        {rule.inverted ? notVerb : verb} {hasValue && <bdi className="mono">{rule.value}</bdi>}:{' '}
        <strong>{isSlow ? ruleTexts.tookTooLong : isMatch ? ruleTexts.yes : ruleTexts.no}</strong>
      </span>
    </li>
  );
}
