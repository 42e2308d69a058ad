import fs from 'node:fs';
import path from 'node:path';

/** What of the tests that need ClickHouse runs where it is emulated: paths, or parts of them, as `include` takes them. */
export interface EmulatedSelection {
  readonly integration: readonly string[];
  readonly system: readonly string[];
  readonly browser: readonly string[];
}

/**
 * An emulated ClickHouse takes a second for a statement that a native one answers in 20 ms, so that all tests together take
 * more than two hours. Without a native one `npm test` runs the tests that need none, and of the others those of what
 * could differ: types, formats, tables, the engine itself, real senders, some pages. `MILLRACE_TEST_ALL=1` runs all of them.
 */
const SELECTION: EmulatedSelection = {
  integration: [
    'packages/*/src/{api,auth,cluster,journal,metadata,streams,workers}/**/{inputs,service,registry,partition,postgres,sqlite,preview,pool}.int.test.ts',
    'packages/*/src/storage/{message-database,message-table,service}.int.test.ts',
    'packages/*/src/storage/clickhouse/{client,native}.int.test.ts',
    'packages/*/src/storage/embedded/*.int.test.ts',
    'packages/*/src/storage/schema/{migrate-table,replicated-tables}.int.test.ts',
    'packages/*/src/search/visibility.int.test.ts',
    'packages/*/src/search/{aggregation,completion,fields}/{aggregations,tables,completion,fields}.int.test.ts',
    'packages/*/src/search/export/*.int.test.ts',
    'packages/*/src/search/execution/running.int.test.ts',
    'packages/*/src/search/query/{both-evaluators,injection,query-condition}.int.test.ts',
  ],
  system: [
    'tests/clients/*.test.ts',
    'tests/cluster/drain.test.ts',
    'tests/fuzz/*.test.ts',
    'tests/intake/{examples,real-senders}.test.ts',
    'tests/messages/from-socket-to-table.test.ts',
    'tests/node/{deployment,every-route,start-and-stop,start-failures}.test.ts',
    'tests/outputs/{forwarding,hostile-destinations}.test.ts',
    'tests/search/{tail,tail-cluster}.test.ts',
  ],
  browser: ['tests/browser/{docs,streams}.test.ts'],
};

/** Undefined where ClickHouse is native, or all tests are wanted. */
export function emulatedSelection(root: string): EmulatedSelection | undefined {
  const isEmulated = fs.existsSync(path.join(root, 'node_modules/.cache/millrace-engine'));
  return isEmulated && !process.env.MILLRACE_TEST_ALL ? SELECTION : undefined;
}
