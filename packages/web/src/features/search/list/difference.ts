import { levelName } from '../../../components/level-label.tsx';
import { fieldText, type LogMessage, orderedFieldNames, TIME_FIELDS } from '../../../lib/messages/index.ts';
import { formatInstant, parseInstant } from '../../../lib/time/index.ts';

export interface FieldDifference {
  readonly field: string;
  /** Of each message; undefined where it does not have the field. */
  readonly values: readonly (string | undefined)[];
  readonly isSame: boolean;
}

/** All fields of some messages side by side, in the order of details. */
export function differences(messages: readonly LogMessage[]): FieldDifference[] {
  const all = Object.assign({}, ...messages.map(({ fields }) => fields)) as Record<string, unknown>;
  return orderedFieldNames(all).map((field) => {
    const values = messages.map(({ fields }) =>
      Object.hasOwn(fields, field) ? fieldText(fields[field]) : undefined,
    );
    return { field, values, isSame: values.every((value) => value === values[0]) };
  });
}

/** As the rest of the page writes it: times in its zone, levels with their names. */
export function shownValue(field: string, value: string, zone: string): string {
  if (field === 'level') return levelName(value) ?? value;
  const ms = TIME_FIELDS.has(field) ? parseInstant(value) : undefined;
  return ms === undefined ? value : formatInstant(ms, zone, 'millisecond');
}
