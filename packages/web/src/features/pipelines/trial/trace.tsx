import type { SimulationView } from '@millrace/contract';
import { type FieldChange, FieldChanges } from '../../../components/field-changes.tsx';
import { StateBadge } from '../../../components/state-badge.tsx';
import { useStreamTitles } from '../../../lib/streams/index.ts';
import classes from '../pipelines.module.css';
import { trialTexts } from '../texts.ts';

type Entry = SimulationView['trace'][number];

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

/** Streams by their titles. */
export function Changes({ changes }: { readonly changes: readonly FieldChange[] }) {
  const ids = changes.flatMap(({ field, before, after }) =>
    field === 'streams' ? [before, after].flat().filter((id) => typeof id === 'string') : [],
  );
  const { titles } = useStreamTitles(ids);
  const named = (field: string, value: unknown) =>
    field === 'streams' && Array.isArray(value) ? value.map((id) => titles[String(id)] ?? id) : value;
  return <FieldChanges changes={changes} shownAs={named} />;
}
