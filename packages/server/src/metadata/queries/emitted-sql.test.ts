import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type DatabaseConnection,
  type Dialect,
  DummyDriver,
  Kysely,
  type KyselyPlugin,
  PostgresDialect,
  type QueryResult,
  SqliteDialect,
  type UnknownRow,
} from 'kysely';
import { pino } from 'pino';
import { afterAll, expect, test } from 'vitest';
import { anAlertRule } from '#testing/alert-records.ts';
import { ALERT_SAMPLES } from '#testing/alert-samples.ts';
import { anExtractor, EXTRACTOR_SAMPLES, INPUT } from '#testing/extractor-samples.ts';
import { FIELD_SAMPLES } from '#testing/field-samples.ts';
import { LOOKUP_SAMPLES, LOOKUP_TABLES, type SeededLookup, seedLookup } from '#testing/lookup-samples.ts';
import { ManualClock } from '#testing/manual-clock.ts';
import { aUser, NODE_BEAT as node } from '#testing/metadata-backend.ts';
import {
  ALERT_NOTIFICATION,
  DELIVERY_TARGET,
  NOTICE,
  NOTIFICATION_SAMPLES,
} from '#testing/notification-samples.ts';
import { GROK_PATTERN, PIPELINE, PIPELINE_SAMPLES } from '#testing/pipeline-samples.ts';
import { columnTypes, type DatabaseKind } from '../columns.ts';
import { migrate } from '../migrate.ts';
import { migrations } from '../migrations/registry.ts';
import { createRepositories, type Repositories } from '../repositories/index.ts';
import { createSqliteDialect } from '../sqlite.ts';
import type { Database } from '../tables/index.ts';

/**
 * The SQL that the repositories and migrations emit, stored in `*.sql` beside this file so that reviews show how a
 * change affects it. After an intended change run:
 *
 *     npx vitest run --project unit packages/server/src/metadata/queries -u
 */

/** Records that the samples refer to. They exist before a sample runs. */
interface Seeded extends SeededLookup {
  readonly userId: string;
  readonly roleId: string;
  readonly tokenId: string;
  readonly inputId: string;
  readonly streamId: string;
  readonly outputId: string;
  readonly ruleId: string;
  readonly indexSetId: string;
  readonly searchId: string;
  readonly alertRuleId: string;
  readonly alertNotificationId: string;
  readonly deliveryId: string;
  readonly pipelineId: string;
  readonly pipelineRuleId: string;
  readonly grokPatternId: string;
  readonly extractorId: string;
}

type Sample = (repositories: Repositories, seeded: Seeded) => Promise<unknown>;

const page = { limit: 10, offset: 20 };
const role = { name: 'New', description: '', permissions: [], readOnly: false };
const session = { idHash: 's2', userId: null, username: 'admin', timeoutMs: 1, clientAddress: null };
const output = {
  title: 'O',
  type: 'gelf',
  configuration: {},
  creator: 'admin',
  contentPack: null,
  desiredState: 'running',
} as const;
const indexSet = {
  title: 'Default',
  description: null,
  prefix: 'p',
  shards: 1,
  replicas: 0,
  rotation: { type: 'message-count', config: {} },
  retention: { type: 'delete', config: {} },
  writable: true,
  analyzer: 'standard',
  maxSegments: 1,
  optimizationDisabled: false,
  fieldTypeRefreshMs: 5000,
  dataTiering: null,
};
const stream = {
  title: 'Shop',
  description: '',
  creator: 'admin',
  matchingType: 'AND',
  removeMatches: false,
  indexSetId: 'set',
  state: 'paused',
  contentPack: null,
} as const;
const rule = {
  type: 1,
  field: 'app',
  value: 'shop',
  inverted: false,
  description: '',
  contentPack: null,
};
const savedSearch = { title: 'Errors', description: null, creator: 'admin', content: {} };
const notification = { type: 't', key: 'k', severity: 'normal', nodeId: 'n', details: {} } as const;

/** One call of every function of every repository. The type ensures that none is missing. */
const SAMPLES: { [R in keyof Repositories]: { [F in keyof Repositories[R]]: Sample } } = {
  accessTokens: {
    insert: (r) => r.accessTokens.insert({ userId: null, username: 'admin', name: 'n', tokenHash: 'h2' }),
    findByHash: (r) => r.accessTokens.findByHash('h'),
    findById: (r, { tokenId }) => r.accessTokens.findById(tokenId),
    listByUsername: (r) => r.accessTokens.listByUsername('admin'),
    touch: (r, { tokenId }) => r.accessTokens.touch(tokenId, 1),
    remove: (r, { tokenId }) => r.accessTokens.remove(tokenId),
    removeByUsername: (r) => r.accessTokens.removeByUsername('admin'),
  },
  ...NOTIFICATION_SAMPLES,
  ...ALERT_SAMPLES,
  ...EXTRACTOR_SAMPLES,
  auditLog: {
    insert: (r) =>
      r.auditLog.insert({
        actor: 'a',
        actorAddress: null,
        action: 'x:y',
        objectType: 'o',
        objectId: null,
        outcome: 'success',
      }),
    listPage: (r) =>
      r.auditLog.listPage(
        {
          actor: 'a',
          action: 'x',
          objectType: 'o',
          objectId: 'i',
          outcome: 'failure',
          from: 1,
          to: 2,
          text: 't',
        },
        page,
      ),
    removeBefore: (r) => r.auditLog.removeBefore(1),
  },
  indexSets: {
    insert: (r) => r.indexSets.insert({ ...indexSet, prefix: 'q' }, () => {}),
    insertBuiltIn: (r) => r.indexSets.insertBuiltIn({ ...indexSet, id: 'i', prefix: 'q', isDefault: true }),
    update: (r, { indexSetId }) => r.indexSets.update(indexSetId, indexSet),
    changeFieldTypes: (r, { indexSetId }) =>
      r.indexSets.changeFieldTypes(indexSetId, (types) => ({ ...types, a: 'long' })),
    setDefault: (r, { indexSetId }) => r.indexSets.setDefault(indexSetId),
    markDeleting: (r, { indexSetId }) => r.indexSets.markDeleting(indexSetId),
    remove: (r, { indexSetId }) => r.indexSets.remove(indexSetId),
    find: (r, { indexSetId }) => r.indexSets.find(indexSetId),
    list: (r) => r.indexSets.list(),
  },
  indices: {
    rotate: (r, { indexSetId }) => r.indices.rotate(indexSetId, 0),
    setState: (r, { indexSetId }) => r.indices.setState(indexSetId, 0, 'closed'),
    remove: (r, { indexSetId }) => r.indices.remove(indexSetId, 0),
    list: (r, { indexSetId }) => r.indices.list(indexSetId),
  },
  ...FIELD_SAMPLES,
  grants: {
    add: (r, { userId }) => r.grants.add(userId, ['streams:read:1']),
    removeFromAll: (r) => r.grants.removeFromAll(['streams:read:1', 'streams:edit:1']),
  },
  inputs: {
    insert: (r) => r.inputs.insert(INPUT),
    update: (r, { inputId }) => r.inputs.update(inputId, INPUT),
    replaceConfiguration: (r, { inputId }) => r.inputs.replaceConfiguration(inputId, { a: 1 }, { a: 2 }),
    setDesiredState: (r, { inputId }) => r.inputs.setDesiredState(inputId, 'stopped'),
    remove: (r, { inputId }) => r.inputs.remove(inputId),
    find: (r, { inputId }) => r.inputs.find(inputId),
    list: (r) => r.inputs.list(),
    setStaticField: (r, { inputId }) => r.inputs.setStaticField(inputId, 'site', 'north'),
    removeStaticField: (r, { inputId }) => r.inputs.removeStaticField(inputId, 'site'),
  },
  leases: {
    acquire: (r) => r.leases.acquire('master', 'n', 5000),
    release: (r) => r.leases.release('master', 'n'),
    holder: (r) => r.leases.holder('master'),
  },
  logins: {
    findSession: async (r) => r.logins.findSession('s'),
    findToken: async (r) => r.logins.findToken('h'),
    findUser: async (r) => r.logins.findUser('anna'),
  },
  traffic: {
    add: (r) => r.traffic.add('n', 1, { input: 1, decoded: 2, output: 3 }),
    list: (r) => r.traffic.list(1, 2),
    removeBefore: (r) => r.traffic.removeBefore(1),
  },
  clusterSettings: {
    find: (r) => r.clusterSettings.find('k'),
    listByPrefix: (r) => r.clusterSettings.listByPrefix('k'),
    set: (r) => r.clusterSettings.set('k', 1),
    setIfAbsent: (r) => r.clusterSettings.setIfAbsent('k', 1),
    remove: (r) => r.clusterSettings.remove('k'),
    clusterId: (r) => r.clusterSettings.clusterId(),
  },
  nodes: {
    beat: (r) => r.nodes.beat(node),
    listSeen: (r) => r.nodes.listSeen(),
    removeUnseenFor: (r) => r.nodes.removeUnseenFor(60_000),
    upsert: (r) => r.nodes.upsert({ ...node, lastSeen: 2 }),
    find: (r) => r.nodes.find('n'),
    list: (r) => r.nodes.list(1),
    remove: (r) => r.nodes.remove('n'),
    removeSeenBefore: (r) => r.nodes.removeSeenBefore(1),
  },
  notifications: {
    publish: async (r) => {
      await r.notifications.publish(notification);
      await r.notifications.publish(notification);
    },
    list: (r) => r.notifications.list(),
    remove: async (r) => {
      await r.notifications.remove('t', 'k');
      await r.notifications.remove('t');
    },
  },
  roles: {
    insert: (r) => r.roles.insert(role),
    ensure: (r) => r.roles.ensure(role),
    update: (r, { roleId }) =>
      r.roles.update(roleId, { name: 'Other', description: 'd', permissions: ['a:b'] }),
    remove: (r, { roleId }) => r.roles.remove(roleId),
    findByName: (r) => r.roles.findByName('Role'),
    findByNames: (r) => r.roles.findByNames(['Role', 'Other']),
    list: (r) => r.roles.list(),
    listMembers: (r, { roleId }) => r.roles.listMembers(roleId),
    addMember: (r, { roleId, userId }) => r.roles.addMember(roleId, userId),
    removeMember: (r, { roleId, userId }) => r.roles.removeMember(roleId, userId),
  },
  outputs: {
    insert: (r) => r.outputs.insert(output),
    update: (r, { outputId }) => r.outputs.update(outputId, output),
    setDesiredState: (r, { outputId }) => r.outputs.setDesiredState(outputId, 'paused'),
    remove: (r, { outputId }) => r.outputs.remove(outputId),
    find: (r, { outputId }) => r.outputs.find(outputId),
    list: (r) => r.outputs.list(),
  },
  ...PIPELINE_SAMPLES,
  ...LOOKUP_SAMPLES,
  savedSearches: {
    insert: (r) => r.savedSearches.insert({ ...savedSearch, title: 'New' }),
    update: (r, { searchId }) => r.savedSearches.update(searchId, savedSearch),
    remove: (r, { searchId }) => r.savedSearches.remove(searchId),
    find: (r, { searchId }) => r.savedSearches.find(searchId),
    list: (r) => r.savedSearches.list(),
  },
  searchHistory: {
    record: (r, { userId }) =>
      r.searchHistory.record({ userId, stored: true }, { query: 'level:3', scope: { streams: [] } }, 50),
    list: (r, { userId }) => r.searchHistory.list(userId, 50),
    remove: async (r, { userId }) => {
      await r.searchHistory.remove(userId, 'level:3');
      await r.searchHistory.remove(userId);
    },
  },
  sessions: {
    insert: (r, { userId }) => r.sessions.insert({ ...session, userId }, aUser().passwordHash),
    find: (r) => r.sessions.find('s'),
    listByUsername: (r) => r.sessions.listByUsername('admin'),
    listLatest: (r) => r.sessions.listLatest(),
    touch: (r) => r.sessions.touch('s', 1),
    remove: (r) => r.sessions.remove('s'),
    removeByUsername: (r) => r.sessions.removeByUsername('admin', 's'),
    changeTimeout: (r) => r.sessions.changeTimeout('admin', 1),
    removeExpired: (r) => r.sessions.removeExpired(),
  },
  streams: {
    insert: (r, { outputId }) => r.streams.insert(stream, [rule], [outputId]),
    ensure: (r) => r.streams.ensure('000000000000000000000001', stream),
    update: (r, { streamId }) =>
      r.streams.update(streamId, {
        title: 't',
        description: 'd',
        matchingType: 'OR',
        removeMatches: true,
        indexSetId: 'i',
      }),
    setState: (r, { streamId }) => r.streams.setState(streamId, 'disabled', 'why', 'paused'),
    remove: (r, { streamId }) => r.streams.remove(streamId),
    find: (r, { streamId }) => r.streams.find(streamId),
    list: (r) => r.streams.list(),
    listByIndexSet: (r) => r.streams.listByIndexSet('set'),
    insertRule: (r, { streamId }) => r.streams.insertRule(streamId, rule),
    updateRule: (r, { streamId, ruleId }) => r.streams.updateRule(streamId, ruleId, rule),
    removeRule: (r, { streamId, ruleId }) => r.streams.removeRule(streamId, ruleId),
    replaceRules: (r, { streamId }) =>
      r.streams.replaceRules(streamId, { matchingType: 'OR', rules: [rule] }, () => {}),
    attachOutputs: (r, { streamId, outputId }) => r.streams.attachOutputs(streamId, [outputId]),
    detachOutput: (r, { streamId, outputId }) => r.streams.detachOutput(streamId, outputId),
    revision: (r) => r.streams.revision(),
  },
  systemMessages: {
    insert: (r) => r.systemMessages.insert({ caller: 'c', content: 'x', nodeId: 'n' }),
    listPage: (r) => r.systemMessages.listPage(page),
  },
  users: {
    insert: (r) => r.users.insert(aUser({ username: 'new', roles: ['Role'] })),
    update: (r, { userId }) => r.users.update(userId, { email: 'x@y', roles: ['Role'] }),
    replacePasswordHash: (r, { userId }) => r.users.replacePasswordHash(userId, 'old', 'new'),
    remove: (r, { userId }) => r.users.remove(userId),
    findById: (r, { userId }) => r.users.findById(userId),
    findByUsername: (r) => r.users.findByUsername('anna'),
    list: (r) => r.users.list(),
    listPage: (r) => r.users.listPage({ limit: 10, offset: 0, search: 'ann' }),
    touch: (r, { userId }) => r.users.touch(userId, 1, null),
  },
  viewSearches: {
    store: (r, { userId }) =>
      r.viewSearches.store({ userId, stored: true }, { id: 'search', content: {} }, 100),
    find: (r, { userId }) => r.viewSearches.find(userId, 'search'),
  },
};

const clock = new ManualClock();

/**
 * Runs against a real SQLite database, because a function's next query may depend on the previous answer. The same
 * answers are then replayed to the same function with PostgreSQL's compiler.
 */
const sqlite = { statements: [] as string[], answers: [] as QueryResult<UnknownRow>[] };
const keepAnswers: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  transformResult: async ({ result }) => {
    sqlite.answers.push(result);
    return result;
  },
};
const db = new Kysely<Database>({
  dialect: createSqliteDialect(':memory:', new AsyncLocalStorage()),
  log: (event) => void sqlite.statements.push(event.query.sql),
  plugins: [keepAnswers],
});
const repositories = createRepositories(db, clock, 'sqlite');
afterAll(() => db.destroy());

async function statementsOfPostgres(sample: Sample, seeded: Seeded): Promise<readonly string[]> {
  const statements: string[] = [];
  const answers = [...sqlite.answers];
  const postgres = new Kysely<Database>({
    dialect: compileOnly('postgres', () => answers.shift()),
    log: (event) => void statements.push(event.query.sql),
  });
  await sample(createRepositories(postgres, clock, 'postgres'), seeded);
  return statements;
}

async function emptyAndSeed(): Promise<Seeded> {
  await migrate({ db, kind: 'sqlite', logger: pino({ level: 'silent' }), clock }, migrations);
  for (const table of [
    'access_tokens',
    'sessions',
    'notifications',
    'users',
    'roles',
    'cluster_settings',
    'inputs',
    'streams',
    'outputs',
    'grok_patterns',
    ...LOOKUP_TABLES,
    'pipeline_rules',
    'pipelines',
    'index_sets',
    'saved_searches',
    'alert_rules',
    'alerts',
    'alert_notices',
    'alert_notifications',
  ] as const) {
    await db.deleteFrom(table).execute();
  }
  const user = await repositories.users.insert(aUser());
  const { id: roleId } = await repositories.roles.insert({ ...role, name: 'Role' });
  await repositories.roles.addMember(roleId, user.id);
  const token = await repositories.accessTokens.insert({
    userId: user.id,
    username: 'anna',
    name: 'n',
    tokenHash: 'h',
  });
  const { id: inputId } = await repositories.inputs.insert(INPUT);
  const [extractor] = await repositories.extractors.insert([anExtractor(inputId)]);
  const { id: outputId } = await repositories.outputs.insert(output);
  const { id: streamId, rules } = await repositories.streams.insert(stream, [rule]);
  const { id: pipelineId } = await repositories.pipelines.insert(PIPELINE);
  const { id: grokPatternId } = await repositories.grokPatterns.insert(GROK_PATTERN);
  const lookup = await seedLookup(repositories);
  const { id: pipelineRuleId } = await repositories.pipelineRules.insert(PIPELINE);
  const { id: indexSetId } = await repositories.indexSets.insert(indexSet);
  const { id: searchId } = await repositories.savedSearches.insert(savedSearch);
  const { id: alertRuleId } = await repositories.alertRules.insert(anAlertRule());
  const { id: alertNotificationId } = await repositories.alertNotifications.insert(ALERT_NOTIFICATION);
  await repositories.alertDeliveries.enqueue(NOTICE, [DELIVERY_TARGET]);
  const [delivery] = await repositories.alertDeliveries.listDue(1);
  return {
    userId: user.id,
    roleId,
    tokenId: token.id,
    inputId,
    extractorId: extractor?.id ?? '',
    pipelineId,
    pipelineRuleId,
    grokPatternId,
    ...lookup,
    indexSetId,
    searchId,
    alertRuleId,
    alertNotificationId,
    deliveryId: delivery?.id ?? '',
    streamId,
    outputId,
    ruleId: rules[0]?.id ?? '',
  };
}

/** PostgreSQL's SQL, and SQLite's if it differs in more than the placeholders. */
function bothForms(postgres: string, sqlite: string | undefined): string {
  if (postgres.replaceAll(/\$\d+/g, '?') === sqlite) return layOut(postgres);
  return `${layOut(postgres)}\n-- the same on SQLite:\n${layOut(sqlite ?? '')}`;
}

function layOut(sql: string): string {
  const clause =
    /(?<!delete|epoch) (?=(?:from|where|and|(?:inner|left) join|set|values|on conflict|group by|order by|limit|returning) )/g;
  return `${sql.trim().replaceAll(clause, '\n  ')};`;
}

test.each(Object.entries(SAMPLES))('the SQL of %s', async (name, functions) => {
  const sections: string[] = [];
  for (const [functionName, sample] of Object.entries<Sample>(functions)) {
    const seeded = await emptyAndSeed();
    sqlite.statements = [];
    sqlite.answers = [];
    await sample(repositories, seeded);
    const statements = await statementsOfPostgres(sample, seeded);
    expect(statements.length, functionName).toBeGreaterThan(0);
    expect(statements.length, functionName).toBe(sqlite.statements.length);
    const forms = statements.map((statement, index) => bothForms(statement, sqlite.statements[index]));
    sections.push(`-- ${name}.${functionName}\n${forms.join('\n')}\n`);
  }
  await expect(sections.join('\n')).toMatchFileSnapshot(`./${name}.sql`);
});

test.each(['sqlite', 'postgres'] as const)('the schema of %s', async (kind) => {
  const statements: string[] = [];
  const schema = new Kysely<unknown>({
    dialect: compileOnly(kind, () => undefined),
    log: (event) =>
      void statements.push(layOut(event.query.sql).replaceAll(/, (?="\w+" |constraint)/g, ',\n  ')),
  });
  for (const migration of migrations) {
    statements.push(`\n-- ${migration.version} ${migration.name}`);
    await migration.up(schema, columnTypes(kind));
  }
  await expect(`${statements.join('\n').trim()}\n`).toMatchFileSnapshot(`./schema.${kind}.sql`);
});

/** A database with prepared answers. */
function compileOnly(kind: DatabaseKind, nextAnswer: () => QueryResult<unknown> | undefined): Dialect {
  const dialect =
    kind === 'postgres'
      ? new PostgresDialect({ pool: async () => Promise.reject(new Error('not connected')) })
      : new SqliteDialect({ database: async () => Promise.reject(new Error('not opened')) });
  const connection: DatabaseConnection = {
    executeQuery: async <R>() => (nextAnswer() ?? { rows: [] }) as QueryResult<R>,
    streamQuery: () => {
      throw new Error('no query is streamed');
    },
  };
  class ScriptedDriver extends DummyDriver {
    override acquireConnection = async () => connection;
  }
  return {
    createAdapter: () => dialect.createAdapter(),
    createDriver: () => new ScriptedDriver(),
    createIntrospector: (database) => dialect.createIntrospector(database),
    createQueryCompiler: () => dialect.createQueryCompiler(),
  };
}
