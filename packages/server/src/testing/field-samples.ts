import type { Repositories } from '#metadata/index.ts';

interface Seeded {
  readonly indexSetId: string;
  readonly streamId: string;
}

type Sample = (repositories: Repositories, seeded: Seeded) => Promise<unknown>;

/** Calls of the repositories of the field catalogue, one for each function. */
export const FIELD_SAMPLES: {
  readonly [Name in 'indexSetFields' | 'streamFields']: { readonly [F in keyof Repositories[Name]]: Sample };
} = {
  indexSetFields: {
    add: (r, { indexSetId }) => r.indexSetFields.add([{ indexSetId, name: 'a', type: 'string' }]),
    list: (r, { indexSetId }) => r.indexSetFields.list([indexSetId]),
    count: (r) => r.indexSetFields.count(),
  },
  streamFields: {
    add: (r, { indexSetId, streamId }) =>
      r.streamFields.add([{ indexSetId, streamId, name: 'a', type: 'string' }]),
    list: (r) => r.streamFields.list(),
    count: (r) => r.streamFields.count(),
    existingStreams: (r, { streamId }) => r.streamFields.existingStreams([streamId]),
    dueIndices: (r) => r.streamFields.dueIndices(),
    indexRead: (r, { indexSetId }) => r.streamFields.indexRead({ indexSetId, indexNumber: 0 }),
  },
};
