import { parseCLI } from 'vitest/node';
import { currentEngineHost, findEngineLibrary } from '../../packages/server/src/storage/embedded/library.ts';

/** Which tests run where ClickHouse is emulated, beside the unit tests: patterns as `include` takes them. */
export interface EmulatedSelection {
  readonly integration: readonly string[];
  readonly system: readonly string[];
  readonly browser: readonly string[];
}

/**
 * An emulated ClickHouse takes a second for a statement that a native one answers in 20 ms, so that all tests together take
 * more than two hours. Without a native one `npm test` runs the tests that need none, and of the others those of what
 * could differ: types, formats, tables, the engine itself, real senders, some pages. A new test that needs none belongs here.
 * `MILLRACE_TEST_ALL=1` runs all of them, and so does a path on the command line with those that it names.
 */
const SELECTION: EmulatedSelection = {
  integration: [
    'packages/*/src/alerts/notifications/delivery/crash.int.test.ts',
    'packages/*/src/alerts/conditions/conditions.int.test.ts',
    'packages/*/src/api/routes/{input-test-message,stream-alerts}.int.test.ts',
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
    'tests/outputs/{forwarding,hostile-destinations,real-destinations}.test.ts',
    'tests/search/{tail,tail-cluster}.test.ts',
  ],
  browser: ['tests/browser/{docs,gallery,streams,web-bundle}.test.ts'],
};

/** Undefined where ClickHouse is native, or all tests are wanted, or those that the command line names. */
export function emulatedSelection(): EmulatedSelection | undefined {
  const wantsAll = Boolean(process.env.MILLRACE_TEST_ALL) || namesFiles(process.argv.slice(2));
  return !wantsAll && isEmulated() ? SELECTION : undefined;
}

function isEmulated(): boolean {
  try {
    return findEngineLibrary(currentEngineHost()).kind === 'emulated';
  } catch {
    // There is none at all; tests that need one say so.
    return false;
  }
}

/** Whether the arguments of Vitest have parts of paths among them. Programs that load our configuration have other arguments. */
function namesFiles(args: readonly string[]): boolean {
  try {
    return parseCLI(['vitest', ...args], { allowUnknownOptions: true }).filter.length > 0;
  } catch {
    return false;
  }
}
