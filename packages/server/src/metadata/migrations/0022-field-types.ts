import type { Migration } from '../migrate.ts';

/** Types that people gave to fields of an index set. */
export const fieldTypes: Migration = {
  version: 22,
  name: 'field-types',
  async up(db, types) {
    await db.schema.alterTable('index_sets').addColumn('field_types', types.json).execute();
  },
};
