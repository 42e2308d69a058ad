/** The classes of `/system/cluster_config`: those that Graylog's clients read or set. */
import {
  defaultIndexSetTemplateSchema,
  messageProcessorClassesSchema,
  urlAllowlistSchema,
} from '@millrace/contract';
import { type AuditLog, InvalidError } from '#core/index.ts';
import type { Repositories } from '#metadata/index.ts';
import type { ProcessorOrder } from '#processing/service.ts';
import type { IndexSetTemplates } from '#storage/service.ts';
import {
  type ClusterConfigClass,
  type ClusterConfigs,
  createClusterConfigs,
  createStoredClass,
  type StoredClassDefinition,
  type UrlAllowlist,
} from '#system/service.ts';

export interface ClusterConfigParts {
  readonly clusterId: string;
  readonly metadata: { readonly repositories: Pick<Repositories, 'clusterSettings'> };
  readonly audit: AuditLog;
  readonly processors: ProcessorOrder;
  readonly urlAllowlist: UrlAllowlist;
  readonly templates: Pick<IndexSetTemplates, 'defaultId' | 'setDefault' | 'clearDefault'>;
}

const STORED: readonly StoredClassDefinition[] = [
  {
    className: 'org.graylog2.indexer.searches.SearchesClusterConfig',
    defaults: {
      query_time_range_limit: 'PT0S',
      relative_timerange_options: {},
      surrounding_timerange_options: {},
      surrounding_filter_fields: ['source', 'gl2_source_input', 'file', 'source_file'],
      analysis_disabled_fields: ['message', 'full_message'],
    },
    fixed: { query_time_range_limit: 'searches are limited by search_timeout and search_max_memory' },
  },
  {
    className: 'org.graylog2.users.UserConfiguration',
    defaults: {
      enable_global_session_timeout: false,
      global_session_timeout_interval: 'PT8H',
      allow_access_token_for_external_user: true,
      restrict_access_token_to_admins: false,
    },
    fixed: {
      enable_global_session_timeout: 'set session_timeout_ms of each user',
      allow_access_token_for_external_user: 'who may create tokens follows from users:tokencreate',
      restrict_access_token_to_admins: 'who may create tokens follows from users:tokencreate',
      default_ttl_for_new_tokens: 'tokens do not expire, revoke them with DELETE /users/{name}/tokens/{id}',
    },
  },
  {
    className: 'org.graylog.plugins.map.config.GeoIpResolverConfig',
    defaults: {
      enabled: false,
      enforce_graylog_schema: true,
      db_vendor_type: 'MAXMIND',
      city_db_path: '',
      asn_db_path: '',
      refresh_interval: 10,
      refresh_interval_unit: 'MINUTES',
      use_s3: false,
    },
    fixed: { enabled: 'use a lookup table with a MaxMind data adapter in a pipeline rule' },
  },
];

export function createNodeClusterConfigs(parts: ClusterConfigParts): ClusterConfigs {
  const { audit, metadata } = parts;
  const store = metadata.repositories;
  return createClusterConfigs([
    processorClass(parts.processors),
    ...['org.graylog2.system.urlallowlist.UrlAllowlist', 'org.graylog2.system.urlwhitelist.UrlWhitelist'].map(
      (className) => urlClass(className, parts.urlAllowlist),
    ),
    templateClass(parts.templates),
    clusterIdClass(parts.clusterId),
    ...STORED.map((definition) => createStoredClass({ store, audit }, definition)),
  ]);
}

function processorClass(processors: ProcessorOrder): ClusterConfigClass {
  async function read() {
    const { processor_order, disabled_processors } = await processors.get();
    return { processor_order: processor_order.map(({ class_name }) => class_name), disabled_processors };
  }
  return {
    className: 'org.graylog2.messageprocessors.MessageProcessorsConfig',
    read,
    async write(caller, config) {
      const { processor_order, disabled_processors } = parsed(messageProcessorClassesSchema, config);
      const order = processor_order.map((class_name) => ({ class_name }));
      await processors.set(caller, { processor_order: order, disabled_processors });
      return read();
    },
    reset: (caller) => processors.reset(caller),
  };
}

function urlClass(className: string, list: UrlAllowlist): ClusterConfigClass {
  return {
    className,
    permissions: { read: 'urlwhitelist:read', write: 'urlwhitelist:write' },
    read: async () => list.view(),
    async write(caller, config) {
      await list.replace(caller, parsed(urlAllowlistSchema, config));
      return list.view();
    },
    reset: (caller) => list.replace(caller, { entries: [], disabled: true }),
  };
}

function templateClass(templates: ClusterConfigParts['templates']): ClusterConfigClass {
  return {
    className: 'org.graylog2.indexer.indexset.template.IndexSetDefaultTemplate',
    async read() {
      const id = await templates.defaultId();
      return id === undefined ? undefined : { id };
    },
    async write(caller, config) {
      const { id } = parsed(defaultIndexSetTemplateSchema, config);
      await templates.setDefault(caller, id);
      return { id };
    },
    reset: (caller) => templates.clearDefault(caller),
  };
}

function clusterIdClass(clusterId: string): ClusterConfigClass {
  const fixed = async () => {
    throw new InvalidError('The id of a cluster never changes.');
  };
  return {
    className: 'org.graylog2.plugin.cluster.ClusterId',
    read: async () => ({ cluster_id: clusterId }),
    write: fixed,
    reset: fixed,
  };
}

/** A schema of the contract. */
interface Schema<T> {
  safeParse(value: unknown): {
    readonly data?: T;
    readonly error?: {
      readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[];
    };
  };
}

/** Throws `InvalidError` with every problem and its path. */
function parsed<T>(schema: Schema<T>, config: unknown): T {
  const { data, error } = schema.safeParse(config);
  if (data !== undefined) return data;
  const problems = (error?.issues ?? []).map(({ path, message }) => ({
    path: path.map(String).join('.'),
    message,
  }));
  throw new InvalidError(problems.map(({ path, message }) => `${path}: ${message}`).join('; '), { problems });
}
