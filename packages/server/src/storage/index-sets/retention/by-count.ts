import { field, types } from '#core/index.ts';

/** The configuration of strategies that count indices. */
export function countFields(limit: number, options: { readonly hasNoEffect?: boolean } = {}) {
  return {
    max_number_of_indices: field(types.integer({ min: 1, max: 2_147_483_647 }), {
      humanName: 'Maximum number of indices',
      description: 'Indices that are kept.',
      default: limit,
      ...options,
    }),
    move_after_days: field(types.integer({ min: 0, max: 100_000 }), {
      humanName: 'Move to another volume after days',
      description:
        'An index that ended so many days ago is moved to the volume for old messages, where it is searched like others. Left out, it stays.',
      optional: true,
    }),
  };
}
