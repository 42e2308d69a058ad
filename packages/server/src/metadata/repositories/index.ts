import type { Kysely } from 'kysely';
import type { Clock } from '#core/index.ts';
import type { Database } from '../tables/index.ts';
import { type ClusterSettingsRepository, createClusterSettingsRepository } from './cluster-settings.ts';

export type { ClusterSettingsRepository } from './cluster-settings.ts';

export interface Repositories {
  readonly clusterSettings: ClusterSettingsRepository;
}

/** All repositories over one database or one transaction. Cheap: each is a handful of closures. */
export function createRepositories(db: Kysely<Database>, clock: Clock): Repositories {
  return {
    clusterSettings: createClusterSettingsRepository(db, clock),
  };
}
