import { lookupTableTestedSchema, lookupTableTestSchema } from '@millrace/contract';
import { NotFoundError } from '#core/index.ts';
import type { LookupService } from '#lookup/service.ts';
import type { Route } from '../route.ts';
import { testerRoutes } from './tester-routes.ts';

/** What an extractor or a converter would get from a lookup table. */
export function lookupTesterRoutes({ queryTable }: Pick<LookupService, 'queryTable'>): Route[] {
  return testerRoutes({
    name: 'lookup_table_tester',
    summary: 'Try a key on a lookup table',
    description: 'White space around the key does not count.',
    permission: 'lookuptables:read',
    errors: [],
    test: lookupTableTestSchema,
    tested: lookupTableTestedSchema,
    async run({ string, lookup_table_name: name }) {
      try {
        const { single_value: value, has_error: isFailed } = await queryTable(name, string.trim());
        return {
          empty: value === null,
          error: isFailed,
          error_message: isFailed ? 'The data adapter of the table has an error; its state says which.' : '',
          key: string,
          value: isPlain(value) ? value : null,
        };
      } catch (error) {
        if (!(error instanceof NotFoundError)) throw error;
        const message = `Lookup table <${name}> doesn't exist`;
        return { empty: true, error: true, error_message: message, key: null, value: null };
      }
    },
  });
}

function isPlain(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
