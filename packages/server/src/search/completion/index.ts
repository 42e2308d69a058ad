/** Completion of a query: names of fields, operators and values of messages. */
import {
  type CompleteRequest,
  type CompleteResponse,
  type CompletionItem,
  MAX_SUGGESTIONS,
  type SuggestRequest,
  type SuggestResponse,
} from '@millrace/contract';
import { asPhrase, asTerm, type CompletionPlace, completionAt } from '@millrace/query';
import type { Principal } from '#core/index.ts';
import type { EntityTitles } from '../aggregation/index.ts';
import { type Searches, SearchFailedError } from '../execution/index.ts';
import type { Fields } from '../fields/index.ts';
import type { SearchCaller } from '../search-caller.ts';
import { matchingFields } from './matching-fields.ts';
import { valuesOf } from './values.ts';

/** Both reject as `Searches.prepare` does. If the search for values fails, there are no values. */
export interface Completion {
  /** The values of a field that start with or contain the input, the most frequent first. */
  suggest(caller: SearchCaller, request: SuggestRequest): Promise<SuggestResponse>;
  /** Everything that fits at the cursor. */
  complete(caller: SearchCaller, request: CompleteRequest): Promise<CompleteResponse>;
}

export interface CompletionDeps {
  readonly searches: Searches;
  readonly fields: Pick<Fields, 'names' | 'types'>;
  readonly titles: EntityTitles;
}

const OPERATORS = {
  AND: 'both must match',
  OR: 'at least one must match',
  NOT: 'what follows must not match',
} as const;

export function createCompletion(deps: CompletionDeps): Completion {
  async function suggest(caller: SearchCaller, request: SuggestRequest): Promise<SuggestResponse> {
    const { field, input } = request;
    const answer = { field, input, suggestions: [], sum_other_docs_count: 0 };
    try {
      return {
        ...answer,
        ...(await valuesOf(deps, caller, { ...request, size: Math.min(request.size, MAX_SUGGESTIONS) })),
      };
    } catch (error) {
      if (!(error instanceof SearchFailedError)) throw error;
      return { ...answer, error: { type: error.code, reason: error.message } };
    }
  }

  async function fieldItems(
    principal: Principal,
    place: Extract<CompletionPlace, { kind: 'clause' | 'field' }>,
    { size, streams }: CompleteRequest,
  ): Promise<CompletionItem[]> {
    const colon = place.kind === 'clause' && !place.hasColon ? ':' : '';
    const { types } = await deps.fields.names(principal, 0);
    const visible =
      streams === null || streams === undefined || streams.length === 0
        ? Object.keys(types)
        : (await deps.fields.types(principal, streams)).map(({ name }) => name);
    const names = place.kind === 'clause' ? [...visible, '_exists_'] : visible;
    return matchingFields(place.input, names, Math.min(size, MAX_SUGGESTIONS)).map((name) => ({
      kind: 'field',
      text: `${asTerm(name)}${colon}`,
      label: name,
      detail: name === '_exists_' ? 'messages that have a field' : (types[name] ?? []).join(', '),
      from: place.at.from,
      to: place.at.to,
    }));
  }

  async function valueItems(
    caller: SearchCaller,
    place: Extract<CompletionPlace, { kind: 'value' }>,
    { size, streams, timerange }: CompleteRequest,
  ): Promise<CompletionItem[]> {
    const input = place.input.replaceAll(/[*?]+$/g, '');
    const { suggestions } = await suggest(caller, { field: place.field, input, size, streams, timerange });
    return suggestions.map(({ value, occurrence, title }) => ({
      kind: 'value',
      text: valueText(value),
      label: title ?? value,
      detail: `${occurrence} ${occurrence === 1 ? 'message' : 'messages'}`,
      from: place.at.from,
      to: place.at.to,
    }));
  }

  return {
    suggest,
    async complete(caller, request) {
      const place = completionAt(request.query, request.cursor ?? request.query.length);
      const size = Math.min(request.size, MAX_SUGGESTIONS);
      switch (place.kind) {
        case 'nothing':
          return { items: [] };
        case 'value':
          return { items: await valueItems(caller, place, request) };
        case 'field':
          return { items: await fieldItems(caller.principal, place, request) };
        case 'clause': {
          const operators = operatorItems(place);
          const fields = await fieldItems(caller.principal, place, request);
          // After a complete clause an operator is more likely, within a word a field.
          const items = place.input === '' ? [...operators, ...fields] : [...fields, ...operators];
          return { items: items.slice(0, size) };
        }
      }
    },
  };
}

function operatorItems(place: Extract<CompletionPlace, { kind: 'clause' }>): CompletionItem[] {
  const begun = place.input.toUpperCase();
  return place.operators
    .filter((operator) => operator.startsWith(begun))
    .map((operator) => ({
      kind: 'operator',
      text: `${operator} `,
      label: operator,
      detail: OPERATORS[operator],
      from: place.at.from,
      to: place.at.to,
    }));
}

/** In quotes unless it is a single plain word. */
function valueText(value: string): string {
  return /^[\p{L}\p{N}_][\p{L}\p{N}_.@-]*$/u.test(value) ? asTerm(value) : asPhrase(value);
}
