import type { ExtractorTrialView } from '@millrace/contract';
import { fieldText } from '../lib/messages/index.ts';
import classes from './field-changes.module.css';
import { LogText } from './log-text.tsx';

export type FieldChange = ExtractorTrialView['changes'][number];

const SHOWN_CHARACTERS = 500;

export interface FieldChangesProps {
  readonly changes: readonly FieldChange[];
  /** What to show instead of a value, such as titles instead of ids. */
  readonly shownAs?: (field: string, value: unknown) => unknown;
}

/** What became of fields: added, gone, another value, or written as it was. */
export function FieldChanges({ changes, shownAs = (_, value) => value }: FieldChangesProps) {
  if (changes.length === 0) return null;
  return (
    <ul className={classes.changes}>
      {changes.map(({ field, before, after }) => {
        const sign = signOf(before, after);
        return (
          <li key={field}>
            <span className={classes.sign} data-sign={sign}>
              {sign}
            </span>
            <bdi className={classes.fieldName}>{field}</bdi>
            {isThere(before) && sign !== SAME && (
              <span className={classes.before}>
                <LogText text={fieldText(shownAs(field, before))} isOneLine limit={SHOWN_CHARACTERS} />
              </span>
            )}
            {isThere(after) && (
              <span className={classes.after}>
                <LogText text={fieldText(shownAs(field, after))} isOneLine limit={SHOWN_CHARACTERS} />
              </span>
            )}
          </li>
        );
      })}
    </ul>
  );
}

const SAME = '=';

function signOf(before: unknown, after: unknown): string {
  if (!isThere(before)) return '+';
  if (!isThere(after)) return '−';
  return JSON.stringify(before) === JSON.stringify(after) ? SAME : '→';
}

function isThere(value: unknown): boolean {
  return value !== null && value !== undefined;
}
