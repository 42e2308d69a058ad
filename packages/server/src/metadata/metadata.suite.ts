import type { MetadataBackend } from '#testing/metadata-backend.ts';
import { accessSuite } from './suites/access.suite.ts';
import { alertNotificationsSuite } from './suites/alert-notifications.suite.ts';
import { alertsSuite } from './suites/alerts.suite.ts';
import { clusterSuite } from './suites/cluster.suite.ts';
import { dumpSuite } from './suites/dump.suite.ts';
import { extractorsSuite } from './suites/extractors.suite.ts';
import { indexSetsSuite } from './suites/index-sets.suite.ts';
import { inputsSuite } from './suites/inputs.suite.ts';
import { lookupSuite } from './suites/lookup.suite.ts';
import { migrationsSuite } from './suites/migrations.suite.ts';
import { outputsSuite } from './suites/outputs.suite.ts';
import { pipelinesSuite } from './suites/pipelines.suite.ts';
import { recordsSuite } from './suites/records.suite.ts';
import { savedSearchesSuite } from './suites/saved-searches.suite.ts';
import { streamsSuite } from './suites/streams.suite.ts';
import { transactionsSuite } from './suites/transactions.suite.ts';
import { usersSuite } from './suites/users.suite.ts';
import { valuesSuite } from './suites/values.suite.ts';

export type { MetadataBackend } from '#testing/metadata-backend.ts';

/** The tests that every metadata database must pass. Each test gets an empty database. */
export function metadataSuite(backend: MetadataBackend): void {
  migrationsSuite(backend);
  transactionsSuite(backend);
  dumpSuite(backend);
  valuesSuite(backend);
  clusterSuite(backend);
  usersSuite(backend);
  accessSuite(backend);
  recordsSuite(backend);
  inputsSuite(backend);
  extractorsSuite(backend);
  indexSetsSuite(backend);
  streamsSuite(backend);
  outputsSuite(backend);
  pipelinesSuite(backend);
  lookupSuite(backend);
  savedSearchesSuite(backend);
  alertsSuite(backend);
  alertNotificationsSuite(backend);
}
