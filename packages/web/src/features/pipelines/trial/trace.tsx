import type { SimulationView } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { LogText } from '../../../components/log-text.tsx';
import { StateBadge } from '../../../components/state-badge.tsx';
import { fieldText } from '../../../lib/messages/index.ts';
import classes from '../pipelines.module.css';
import { streamTitlesQuery } from '../queries.ts';
import { trialTexts } from '../texts.ts';

type Entry = SimulationView['trace'][number];
export type FieldChange = Entry['changes'][number];

const SHOWN_CHARACTERS = 500;

/** Every rule that was asked, in order, with what it changed. */
export function Trace({ entries }: { readonly entries: readonly Entry[] }) {
  if (entries.length === 0) return <p role="status">{trialTexts.nothingRan}</p>;
  return (
    <ol className={classes.trace} aria-label={trialTexts.trace}>
      {entries.map((entry, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a rule may run for several messages
        <li key={at}>
          <div className={classes.step}>
            <span className={classes.stage}>{trialTexts.stage(entry.stage)}</span>
            <bdi className={classes.ruleName} title={entry.rule}>
              {entry.rule}
            </bdi>
            <StateBadge tone={entry.error !== undefined ? 'danger' : entry.matched ? 'ok' : 'dim'}>
              {entry.error !== undefined
                ? trialTexts.failed
                : entry.matched
                  ? trialTexts.matched
                  : trialTexts.noMatch}
            </StateBadge>
            <span className={classes.quiet}>{trialTexts.took(entry.took_us)}</span>
            {entry.message > 0 && (
              <span className={classes.quiet}>{trialTexts.ofCreated(entry.message)}</span>
            )}
          </div>
          <Changes changes={entry.changes} />
          {entry.dropped && <p className={classes.failure}>{trialTexts.dropped}</p>}
          {entry.error !== undefined && <p className={classes.failure}>{entry.error}</p>}
        </li>
      ))}
    </ol>
  );
}

/** What became of fields: added, gone, or another value. */
export function Changes({ changes }: { readonly changes: readonly FieldChange[] }) {
  const { data: streams = [] } = useQuery(streamTitlesQuery);
  if (changes.length === 0) return null;
  const named = (field: string, value: unknown) =>
    field === 'streams' && Array.isArray(value)
      ? value.map((id) => streams.find((stream) => stream.id === id)?.title ?? id)
      : value;
  return (
    <ul className={classes.changes}>
      {changes.map(({ field, before, after }) => (
        <li key={field}>
          <span className={classes.sign} data-sign={signOf(before, after)}>
            {signOf(before, after)}
          </span>
          <bdi className={classes.fieldName}>{field}</bdi>
          {before !== null && before !== undefined && (
            <span className={classes.before}>
              <LogText text={fieldText(named(field, before))} isOneLine limit={SHOWN_CHARACTERS} />
            </span>
          )}
          {after !== null && after !== undefined && (
            <span className={classes.after}>
              <LogText text={fieldText(named(field, after))} isOneLine limit={SHOWN_CHARACTERS} />
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

function signOf(before: unknown, after: unknown): string {
  if (before === null || before === undefined) return '+';
  return after === null || after === undefined ? '−' : '→';
}
