/**
 * Requests that tripped real clients of Graylog, as these clients send them. Each test names the client and the file of
 * its source that sends the request.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ClientNode, startClientNode } from '../support/client-node.ts';
import { freePort } from '../support/free-port.ts';

let node: ClientNode;
let indexSet: string;
beforeAll(async () => {
  node = await startClientNode();
  const { index_sets: all } = await node.ask(200, 'GET', '/system/indices/index_sets');
  indexSet = all.find((each: { default: boolean }) => each.default).id;
});
afterAll(() => node.stop());

const ask: ClientNode['ask'] = (...request) => node.ask(...request);
const GELF_UDP = 'org.graylog2.inputs.gelf.udp.GELFUDPInput';

describe('1. the version', () => {
  test.each([
    ['/', 'whoever asks the root of the API'],
    ['/system', 'Ultrafenrir/terraform-provider-graylog, client/client.go; CoPilot, utils/universal.py'],
  ])('%s: a generation that clients know, our own behind it (%s)', async (path) => {
    const { version } = await ask(200, 'GET', path);
    expect(version).toMatch(/^6\.1\.0\+millrace\.\d+\.\d+\.\d+$/);
    // CoPilot
    expect(Number.parseInt(version.split('+')[0].split('.')[0], 10)).toBe(6);
  });

  test('/cluster has it for every node (Checkmk, agent_graylog.py)', async () => {
    const nodes: { version: string }[] = Object.values(await ask(200, 'GET', '/cluster'));
    expect(nodes.map(({ version }) => version)).toEqual([expect.stringMatching(/^6\.1\.0\+millrace\./)]);
  });

  test('is one that Python compares as nagios-plugin-graylog2 does', async () => {
    const { version } = await ask(200, 'GET', '/system');
    // The plugin uses packaging.version.Version: `+` and what follows is a local version and valid.
    const program =
      'import sys; from packaging.version import Version as V; v = V(sys.argv[1]); print(v < V("2.0.0"), v < V("4.0.0"), v >= V("4.4"))';
    const { stdout } = await promisify(execFile)('/usr/bin/python3', ['-c', program, version]);
    expect(stdout.trim()).toBe('False False True');
  });

  test('is our own at the start', async () => {
    await node.process.printed(/Millrace \d+\.\d+\.\d+/);
    expect(node.process.output()).not.toContain('6.1.0+millrace');
  });
});

describe('2. records are sent back as they were read', () => {
  /** Creates one, reads it and sends it back whole; what it is afterwards must be what was read. */
  async function sendsBack(kind: {
    create: () => Promise<string>;
    path: (id: string) => string;
    /** What a client that sends whole records changes in them. */
    asSent?: (record: Record<string, unknown>) => unknown;
    status?: number;
  }): Promise<void> {
    const path = kind.path(await kind.create());
    const before = await ask(200, 'GET', path);
    await ask(kind.status ?? 200, 'PUT', path, kind.asSent?.(before) ?? before);
    const ignored = { revision: expect.anything(), modified_at: expect.anything() };
    const after = await ask(200, 'GET', path);
    expect({ ...after, ...pick(ignored, after) }).toEqual({ ...before, ...pick(ignored, after) });
  }
  const pick = (from: Record<string, unknown>, keys: object) =>
    Object.fromEntries(Object.entries(from).filter(([key]) => key in keys));

  test('streams (go-graylog, client/stream.go)', () =>
    sendsBack({
      create: async () =>
        (await ask(201, 'POST', '/streams', { title: 'Whole', index_set_id: indexSet })).stream_id,
      path: (id) => `/streams/${id}`,
    }));

  test('index sets (zahiar/terraform-provider-graylog, resource/system/indices/indexset)', () =>
    sendsBack({
      create: async () => (await ask(200, 'POST', '/system/indices/index_sets', anIndexSet('whole'))).id,
      path: (id) => `/system/indices/index_sets/${id}`,
    }));

  test('roles (puppet-graylog_api, provider/graylog_role)', () =>
    sendsBack({
      create: async () => {
        const body = { name: 'Whole', description: '', permissions: ['streams:read'], read_only: false };
        return (await ask(201, 'POST', '/roles', body)).name;
      },
      path: (id) => `/roles/${id}`,
    }));

  test('users (go-graylog, client/user.go)', () =>
    sendsBack({
      create: async () => {
        await ask(201, 'POST', '/users', aUser('whole'));
        return 'whole';
      },
      path: (id) => `/users/${id}`,
      status: 204,
    }));

  test('outputs (go-graylog, client/output.go)', () =>
    sendsBack({
      create: async () => (await ask(201, 'POST', '/system/outputs', STDOUT)).id,
      path: (id) => `/system/outputs/${id}`,
    }));

  test('pipelines and rules (c-perronnet/graylog-mcp, services/pipelines.js)', async () => {
    await sendsBack({
      create: async () => (await ask(200, 'POST', '/system/pipelines/rule', aRule('whole'))).id,
      path: (id) => `/system/pipelines/rule/${id}`,
    });
    await sendsBack({
      create: async () => {
        const source = 'pipeline "whole"\nstage 0 match either\nend';
        return (await ask(200, 'POST', '/system/pipelines/pipeline', { title: 'whole', source })).id;
      },
      path: (id) => `/system/pipelines/pipeline/${id}`,
    });
  });

  test('inputs, whose configuration is called attributes when it is read (terraform-provider-graylog)', () =>
    sendsBack({
      create: async () => (await ask(201, 'POST', '/system/inputs', await anInput({ global: true }))).id,
      path: (id) => `/system/inputs/${id}`,
      asSent: ({ attributes, ...record }) => ({ ...record, configuration: attributes }),
      status: 201,
    }));

  test('a key that looks misspelt is refused: it would be lost without a word', async () => {
    const body = { title: 'x', index_set_id: indexSet, descripton: 'lost' };
    const { message } = await ask(400, 'POST', '/streams', body);
    expect(message).toContain('descripton');
  });
});

/** What sven-borkert/terraform-provider-graylog wraps every new entity in (util/util.go, WrapEntityForCreation). */
const wrapped = (entity: object) => ({ entity, share_request: { selected_grantee_capabilities: {} } });

describe('3. new entities wrapped as Graylog 7 wants them', () => {
  test('streams (sven-borkert/terraform-provider-graylog, resource/stream/create.go)', async () => {
    const stream = { title: 'Wrapped', index_set_id: indexSet, matching_type: 'AND', rules: [] };
    const { stream_id: id } = await ask(201, 'POST', '/streams', wrapped(stream));
    expect(await ask(200, 'GET', `/streams/${id}`)).toMatchObject({ title: 'Wrapped' });
    // The same client, resource/event: a definition and its notification.
    const config = { type: 'http-notification-v1', url: 'http://192.0.2.1/hook' };
    const notification = await ask(
      200,
      'POST',
      '/events/notifications',
      wrapped({ title: 'Hook', description: '', config }),
    );
    const definition = await ask(
      200,
      'POST',
      '/events/definitions?schedule=false',
      wrapped(anEventDefinition(id, notification.id)),
    );
    expect(definition).toMatchObject({
      title: 'Many',
      notifications: [{ notification_id: notification.id }],
    });
  });

  test('without a share request (CoPilot, connectors/graylog/utils/universal.py)', async () => {
    const entity = { title: 'CoPilot', index_set_id: indexSet };
    expect(await ask(201, 'POST', '/streams', { entity })).toHaveProperty('stream_id');
  });

  test('and plain, from the same clients with Graylog 6', async () => {
    expect(await ask(201, 'POST', '/streams', { title: 'Plain', index_set_id: indexSet })).toHaveProperty(
      'stream_id',
    );
  });
});

describe('4. empty values that are not set', () => {
  test('of a user (Ultrafenrir/terraform-provider-graylog, client/client.go, CreateUser)', async () => {
    await ask(201, 'POST', '/users', {
      username: 'ultra',
      first_name: 'Ultra',
      last_name: '',
      email: 'u@example.org',
      roles: ['Reader'],
      permissions: [],
      timezone: '',
      session_timeout_ms: 0,
      password: 'a long password',
    });
    const user = await ask(200, 'GET', '/users/ultra');
    expect(user).toMatchObject({ username: 'ultra', full_name: 'Ultra' });
    expect(user.session_timeout_ms).toBeGreaterThan(0);
  });

  test('of an index set (puppet-graylog_api, provider/graylog_index_set sends null for a false that is the default)', async () => {
    const sent = { ...anIndexSet('nulls'), index_optimization_disabled: null };
    expect(await ask(200, 'POST', '/system/indices/index_sets', sent)).toMatchObject({
      index_optimization_disabled: false,
    });
  });

  test('of an input: no node (go-graylog, client/input.go; terraform-provider-graylog)', async () => {
    const { id } = await ask(201, 'POST', '/system/inputs', await anInput({ node: '', global: true }));
    expect(await ask(200, 'GET', `/system/inputs/${id}`)).toMatchObject({ node: null, global: true });
    const own = await ask(201, 'POST', '/system/inputs', await anInput({ node: '', global: false }));
    const { node_id: nodeId } = await ask(200, 'GET', '/system');
    expect(await ask(200, 'GET', `/system/inputs/${own.id}`)).toMatchObject({ node: nodeId });
  });
});

describe('5. scalars of another type, as Jackson converts them', () => {
  test('in an index set (Ansible without native types: graylog_index_sets.py gets its dicts as text)', async () => {
    const text = anIndexSet('scalars');
    const made = await ask(200, 'POST', '/system/indices/index_sets', {
      ...text,
      shards: '4',
      replicas: '0',
      writable: 'true',
      index_optimization_disabled: 'False',
      index_optimization_max_num_segments: '1',
      field_type_refresh_interval: '5000',
      title: 900,
    });
    expect(made).toMatchObject({
      title: '900',
      shards: 4,
      replicas: 0,
      writable: true,
      index_optimization_disabled: false,
      index_optimization_max_num_segments: 1,
      field_type_refresh_interval: 5000,
    });
  });

  test('in a stream rule (ReconInfoSec, graylog_streams.py: type and value come from variables)', async () => {
    const { stream_id: id } = await ask(201, 'POST', '/streams', {
      title: 'Scalars',
      index_set_id: indexSet,
    });
    const rule = { field: 'port', type: '1', value: 514, inverted: 'true', description: '' };
    const { streamrule_id: ruleId } = await ask(201, 'POST', `/streams/${id}/rules`, rule);
    expect(await ask(200, 'GET', `/streams/${id}/rules/${ruleId}`)).toMatchObject({
      type: 1,
      value: '514',
      inverted: true,
    });
  });

  test.each([['yes'], ['12x']])('%j is no number', async (shards) => {
    const answer = await node.call('POST', '/system/indices/index_sets', { ...anIndexSet('bad'), shards });
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([400, expect.stringContaining('shards')]);
  });
});

describe('6. configuration is answered as it was sent', () => {
  // sven-borkert/terraform-provider-graylog compares them as JSON and plans a change for ever if they differ.
  test('of an input (resource/system/input)', async () => {
    const input = await anInput({ global: true });
    const { id } = await ask(201, 'POST', '/system/inputs', input);
    const read = await ask(200, 'GET', `/system/inputs/${id}`);
    expect(read.attributes).toEqual(input.configuration);
    expect(read.effective_attributes).toMatchObject({
      ...input.configuration,
      decompress_size_limit: 8388608,
    });
  });

  test('of an output (resource/system/output)', async () => {
    const { id } = await ask(201, 'POST', '/system/outputs', { ...STDOUT, configuration: {} });
    const read = await ask(200, 'GET', `/system/outputs/${id}`);
    expect(read.configuration).toEqual({});
    expect(read.effective_configuration).toMatchObject({ prefix: 'Writing message: ' });
  });

  test('of strategies (resource/system/indices/indexset)', async () => {
    const sent = anIndexSet('strategies');
    const made = await ask(200, 'POST', '/system/indices/index_sets', sent);
    const { creation_date: _, ...answered } = sent;
    expect(made).toMatchObject(answered);
    expect(made.rotation_strategy).toEqual(sent.rotation_strategy);
    expect(made.retention_strategy).toEqual(sent.retention_strategy);
    expect(made.effective_rotation_strategy).toMatchObject(sent.rotation_strategy);
  });
});

describe('7. searches, metrics and jobs', () => {
  const search = {
    queries: [
      {
        timerange: { type: 'relative', range: 300 },
        query: { type: 'elasticsearch', query_string: '*' },
        search_types: [{ type: 'messages', limit: 1, offset: 0 }],
      },
    ],
  };

  test('a search whose queries and search types have no id (Graylog, SearchSyncIT)', async () => {
    const stored = await ask(201, 'POST', '/views/search', search);
    expect(stored.queries).toMatchObject([
      { id: expect.any(String), search_types: [{ id: expect.any(String) }] },
    ]);
    const { results } = await ask(200, 'POST', '/views/search/sync', search);
    expect(Object.values(results)).toHaveLength(1);
  });

  test('a search job has a status and can be cancelled (Graylog 6, its web interface: executeSearch)', async () => {
    const { id } = await ask(201, 'POST', '/views/search', search);
    const job = await ask(201, 'POST', `/views/search/${id}/execute`, {});
    expect(job).toMatchObject({ id: expect.any(String), executing_node: expect.any(String) });
    const path = `/views/searchjobs/${job.executing_node}/${job.id}`;
    expect(await ask(200, 'GET', `${path}/status`)).toMatchObject({
      id: job.id,
      execution: { cancelled: false },
    });
    await ask(204, 'DELETE', `${path}/cancel`);
  });

  test('saved searches have the list keys of both generations (glog-cli, graylog_api.py; sven-borkert, client/search/saved)', async () => {
    expect(await ask(200, 'GET', '/search/saved')).toMatchObject({
      searches: expect.any(Array),
      elements: expect.any(Array),
      pagination: { total: 0, count: 0, page: 1 },
      total: 0,
    });
  });

  test('a meter has the raw shape too (zbx-graylog2, graylog2_server_template.xml reads $.m5_rate)', async () => {
    const meter = await ask(200, 'GET', '/system/metrics/org.apache.logging.log4j.core.Appender.warn');
    expect(meter).toMatchObject({
      count: expect.any(Number),
      m1_rate: expect.any(Number),
      m5_rate: expect.any(Number),
      m15_rate: expect.any(Number),
      mean_rate: expect.any(Number),
      units: expect.any(String),
    });
  });
});

describe('8. what is wrong with rules and pipelines', () => {
  test.each([
    ['POST', '/system/pipelines/rule/parse', 'rule "x" when nothing() then end'],
    ['POST', '/system/pipelines/rule', 'rule "x" when then'],
    ['POST', '/system/pipelines/pipeline/parse', 'pipeline "x" stage'],
    ['POST', '/system/pipelines/pipeline', 'pipeline "x" stage 0 match'],
  ] as const)(
    '%s %s: an array of errors (c-perronnet/graylog-mcp, tools/pipelines)',
    async (method, path, source) => {
      const errors = await ask(400, method, path, { title: 'x', description: '', source });
      expect(errors.length).toBeGreaterThan(0);
      for (const error of errors) {
        expect(error).toMatchObject({
          line: expect.any(Number),
          position_in_line: expect.any(Number),
          type: expect.any(String),
          reason: expect.any(String),
        });
      }
    },
  );
});

/** The output of the acceptance test of sven-borkert/terraform-provider-graylog. */
const STDOUT = {
  title: 'stdout',
  type: 'org.graylog2.outputs.LoggingOutput',
  configuration: { prefix: 'Writing message: ' },
};

/** As puppet-graylog_api and the Terraform providers create them. */
function anIndexSet(prefix: string) {
  const strategies = 'org.graylog2.indexer';
  return {
    title: prefix,
    description: '',
    index_prefix: prefix,
    index_analyzer: 'standard',
    shards: 4,
    replicas: 0,
    rotation_strategy_class: `${strategies}.rotation.strategies.MessageCountRotationStrategy`,
    rotation_strategy: {
      type: `${strategies}.rotation.strategies.MessageCountRotationStrategyConfig`,
      max_docs_per_index: 20_000_000,
    },
    retention_strategy_class: `${strategies}.retention.strategies.DeletionRetentionStrategy`,
    retention_strategy: {
      type: `${strategies}.retention.strategies.DeletionRetentionStrategyConfig`,
      max_number_of_indices: 20,
    },
    creation_date: '2026-11-16T10:00:00.000+00:00',
    index_optimization_max_num_segments: 1,
    index_optimization_disabled: false,
    writable: true,
    field_type_refresh_interval: 5000,
  };
}

async function anInput(more: Record<string, unknown>) {
  const configuration = { bind_address: '127.0.0.1', port: await freePort('udp'), recv_buffer_size: 262_144 };
  return { title: 'gelf udp', type: GELF_UDP, configuration, ...more };
}

function aUser(username: string) {
  return {
    username,
    full_name: 'Whole Record',
    email: 'w@example.org',
    password: 'a long password',
    permissions: [],
    roles: ['Reader'],
    timezone: 'Europe/Berlin',
    session_timeout_ms: 3_600_000,
  };
}

function aRule(title: string) {
  return { title, description: '', source: `rule "${title}" when true then set_field("a", 1); end` };
}

function anEventDefinition(streamId: string, notificationId: string) {
  return {
    title: 'Many',
    description: '',
    priority: 2,
    alert: true,
    config: {
      type: 'aggregation-v1',
      query: '*',
      query_parameters: [],
      streams: [streamId],
      group_by: [],
      series: [{ type: 'count', id: 'count-' }],
      conditions: {
        expression: {
          expr: '>',
          left: { expr: 'number-ref', ref: 'count-' },
          right: { expr: 'number', value: 0 },
        },
      },
      search_within_ms: 60_000,
      execute_every_ms: 60_000,
    },
    field_spec: {},
    key_spec: [],
    notification_settings: { grace_period_ms: 0, backlog_size: 0 },
    notifications: [{ notification_id: notificationId, notification_parameters: null }],
    storage: [],
  };
}
