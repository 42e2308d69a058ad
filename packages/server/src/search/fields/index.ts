import type {
  FacetRequest,
  FacetResponse,
  FieldStatistics,
  FieldStatisticsRequest,
} from '@millrace/contract';
import type { Searches } from '../execution/index.ts';
import type { SearchCaller } from '../search-caller.ts';
import { facets } from './facets.ts';
import { createFieldList, type FieldList, type FieldListDeps } from './field-list.ts';
import { fieldStatistics } from './field-statistics.ts';

/** The known fields, and their values in the messages of a search. Counts are exact; all reject as `Searches` does. */
export interface Fields extends FieldList {
  statistics(caller: SearchCaller, field: string, request: FieldStatisticsRequest): Promise<FieldStatistics>;
  /** The most frequent values of several fields at once. */
  facets(caller: SearchCaller, request: FacetRequest): Promise<FacetResponse>;
}

export interface FieldsDeps extends FieldListDeps {
  readonly searches: Searches;
}

export function createFields(deps: FieldsDeps): Fields {
  return {
    ...createFieldList(deps),
    statistics: (caller, field, request) => fieldStatistics(deps.searches, caller, field, request),
    facets: (caller, request) => facets(deps.searches, caller, request),
  };
}
