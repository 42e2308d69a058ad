import { DEFAULT_INDEX_SET_ID, EVENT_INDEX_SET_ID, FAILURE_INDEX_SET_ID } from '#core/index.ts';
import { DEFAULT_RETENTION, DEFAULT_ROTATION } from './registry.ts';
import type { NewStoredIndexSet } from './stored.ts';

const COMMON = {
  shards: 1,
  replicas: 0,
  writable: true,
  analyzer: 'standard',
  maxSegments: 1,
  optimizationDisabled: false,
  fieldTypeRefreshMs: 5000,
  dataTiering: null,
} as const;

type BuiltIn = NewStoredIndexSet & { readonly id: string; readonly isDefault: boolean };

/** The index sets every installation has. They are created once; later they can be changed like any other. */
export const BUILT_IN_INDEX_SETS: readonly BuiltIn[] = [
  {
    ...COMMON,
    id: DEFAULT_INDEX_SET_ID,
    isDefault: true,
    title: 'Default index set',
    description: 'The index set of all messages that no stream sends elsewhere',
    prefix: 'millrace',
    rotation: DEFAULT_ROTATION,
    retention: DEFAULT_RETENTION,
  },
  {
    ...COMMON,
    id: EVENT_INDEX_SET_ID,
    isDefault: false,
    title: 'Events',
    description: 'What alert rules have found',
    prefix: 'gl_events',
    rotation: { type: 'time', config: { rotation_period: 'P1M' } },
    retention: { type: 'delete', config: { max_number_of_indices: 12 } },
  },
  {
    ...COMMON,
    id: FAILURE_INDEX_SET_ID,
    isDefault: false,
    title: 'Processing failures',
    description: 'Messages that could not be decoded or stored, with the reason',
    prefix: 'failures',
    rotation: { type: 'time', config: { rotation_period: 'P1D' } },
    retention: { type: 'delete', config: { max_number_of_indices: 30 } },
  },
];

/** Index sets that only the program itself writes to. Ordinary searches leave them out. */
export function isReserved(indexSetId: string): boolean {
  return indexSetId === FAILURE_INDEX_SET_ID || indexSetId === EVENT_INDEX_SET_ID;
}
