import type { Migration } from '../migrate.ts';
import { cluster } from './0001-cluster.ts';
import { users } from './0002-users.ts';
import { records } from './0003-records.ts';
import { leasesAndTraffic } from './0004-leases-and-traffic.ts';
import { inputs } from './0005-inputs.ts';
import { streams } from './0006-streams.ts';
import { indexSets } from './0007-index-sets.ts';
import { savedSearches } from './0008-saved-searches.ts';
import { viewSearches } from './0009-view-searches.ts';
import { searchHistoryScope } from './0010-search-history-scope.ts';
import { alertNotifications } from './0011-alert-notifications.ts';
import { alerts } from './0012-alerts.ts';
import { outputs } from './0013-outputs.ts';
import { pipelines } from './0014-pipelines.ts';
import { eventKeys } from './0015-event-keys.ts';
import { lookup } from './0016-lookup.ts';
import { extractors } from './0017-extractors.ts';
import { streamFields } from './0018-stream-fields.ts';
import { lookupEntries } from './0019-lookup-entries.ts';
import { dataTiering } from './0020-data-tiering.ts';
import { alertSearch } from './0021-alert-search.ts';
import { fieldTypes } from './0022-field-types.ts';
import { alertsAndEvents } from './0023-alerts-and-events.ts';

/** In order of application. Append new ones; released ones never change. */
export const migrations: readonly Migration[] = [
  cluster,
  users,
  records,
  leasesAndTraffic,
  inputs,
  streams,
  indexSets,
  savedSearches,
  viewSearches,
  searchHistoryScope,
  alertNotifications,
  alerts,
  outputs,
  pipelines,
  eventKeys,
  lookup,
  extractors,
  streamFields,
  lookupEntries,
  dataTiering,
  alertSearch,
  fieldTypes,
  alertsAndEvents,
];
