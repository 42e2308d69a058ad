import { completionAt } from '@millrace/query';
import type { Suggestion } from '../../../components/query-box-props.ts';

const DAY_MS = 86_400_000;

/** What could stand at the cursor besides names and values: `_exists_`, comparisons, ranges, dates. */
export function templatesAt(
  query: string,
  cursor: number,
  typeOf: (field: string) => string | undefined,
  now: number,
): Suggestion[] {
  const place = completionAt(query, cursor);
  if (place.kind === 'clause') {
    const input = place.input.toLowerCase();
    const isWanted = !place.hasColon && (input === '' ? query.trim() === '' : '_exists_'.includes(input));
    return isWanted ? [template('_exists_:', 'messages that have the field', place.at)] : [];
  }
  if (place.kind !== 'value' || place.input !== '') return [];
  return valueTemplates(typeOf(place.field), now).map(([text, detail]) => template(text, detail, place.at));
}

function valueTemplates(type: string | undefined, now: number): [text: string, detail: string][] {
  if (type === 'date') {
    const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
    return [
      [`[${day(now - DAY_MS)} TO ${day(now)}]`, 'between two days'],
      [`>="${day(now)} 00:00:00"`, 'since then'],
    ];
  }
  if (type === 'long' || type === 'double') {
    return [
      ['>=', 'at least'],
      ['<=', 'at most'],
      ['[10 TO 100]', 'between'],
    ];
  }
  return [];
}

function template(
  text: string,
  detail: string,
  at: { readonly from: number; readonly to: number },
): Suggestion {
  return { kind: 'operator', text, label: text, detail, ...at };
}
