import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take long, the longest first: one that starts last runs alone at the end. Vitest knows how long files took the
 * last time, but a fresh clone has no last time. The order in here matters little, and so does a file that is missing.
 */
const LONG = [
  'packages/server/src/processing/hostile-rules.test.ts',
  'packages/server/src/api/routes/grok.test.ts',
  'packages/server/src/alerts/evaluation/evaluator.property.test.ts',
  'packages/server/src/node/leader-work.property.test.ts',
  'packages/server/src/outputs/queue/output-queue.test.ts',
  'packages/server/src/api/routes/extractors.test.ts',
  'packages/server/src/inputs/gelf-tcp/input.test.ts',
  'packages/server/src/processing/management/grok-check.test.ts',
  'packages/server/src/inputs/fuzz.test.ts',
  'scripts/generate.test.mjs',
  'packages/server/src/metadata/postgres.int.test.ts',
  'packages/server/src/metadata/sqlite.int.test.ts',
  'packages/server/src/storage/schema/migrations.int.test.ts',
  'packages/server/src/storage/new-parts.int.test.ts',
  'packages/server/src/storage/embedded/engine.int.test.ts',
  'packages/server/src/search/query/query-condition.int.test.ts',
  'packages/server/src/storage/engine-faults.int.test.ts',
  'packages/server/src/workers/pool.int.test.ts',
  'packages/server/src/alerts/notifications/delivery/crash.int.test.ts',
  'packages/server/src/cluster/registry.int.test.ts',
  'packages/server/src/api/routes/events.int.test.ts',
  'tests/node/backup.test.ts',
  'tests/cluster/laptop-cluster.test.ts',
  'tests/outputs/two-nodes.test.ts',
  'tests/alerts/cluster.test.ts',
  'tests/cluster/drain.test.ts',
  'tests/node/start-and-stop.test.ts',
  'tests/cluster/migrate.test.ts',
  'tests/messages/upgrade.test.ts',
  'tests/search/search.test.ts',
  'tests/cluster/paused-leader.test.ts',
  'tests/cluster/upgrade.test.ts',
  'tests/outputs/forwarding.test.ts',
  'tests/outputs/hostile-destinations.test.ts',
  'tests/node/start-failures.test.ts',
  'tests/messages/kills.test.ts',
  'tests/plugins/tutorial.test.ts',
  'tests/plugins/faults.test.ts',
  'tests/pipelines/pipelines.test.ts',
  'tests/browser/every-page.test.ts',
  'tests/browser/long-list.test.ts',
  'tests/browser/alerts.test.ts',
  'tests/browser/results.test.ts',
  'tests/browser/inputs.test.ts',
  'tests/browser/search.test.ts',
  'tests/browser/search-query.test.ts',
  'tests/browser/lookup.test.ts',
  'tests/browser/streams.test.ts',
  'tests/browser/hasty-hands.test.ts',
  'tests/browser/cancel-export.test.ts',
  'tests/browser/gallery.test.ts',
  'tests/browser/set-up.test.ts',
  'tests/browser/two-editors.test.ts',
  'tests/browser/users.test.ts',
  'tests/browser/extractors.test.ts',
  'tests/browser/api-browser.test.ts',
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // By project, and what failed the last time or took long before the others.
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => groupOf(a) - groupOf(b) || rankOf(a) - rankOf(b));
  }
}

function groupOf({ project }: TestSpecification): number {
  return project.config.sequence.groupOrder;
}

function rankOf({ moduleId }: TestSpecification): number {
  const rank = LONG.findIndex((file) => moduleId.endsWith(`/${file}`));
  return rank === -1 ? LONG.length : rank;
}
