import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DEFAULT_INDEX_SET_ID, DEFAULT_STREAM_ID } from '#core/index.ts';
import { processedByWorkers } from '#testing/processed-by-workers.ts';
import { checkRoutes, servedBy } from '#testing/route-checks.ts';
import { createStreamsFixture, type StreamsFixture } from '#testing/streams-fixture.ts';

let fixture: StreamsFixture;
beforeEach(async () => {
  fixture = await createStreamsFixture();
});
afterEach(() => fixture.close());

const UNKNOWN = 'cccccccccccccccccccccccc';
const RULE = '/system/pipelines/rule';
const PIPELINE = '/system/pipelines/pipeline';
const CONNECTIONS = '/system/pipelines/connections';
const call: StreamsFixture['call'] = (method, path, options = {}) =>
  fixture.call(method, path, { as: 'admin', ...options });

const ruleSource = (name: string, condition = 'true', then = 'set_field("seen", true);') =>
  `rule "${name}"\nwhen\n  ${condition}\nthen\n  ${then}\nend`;
const pipelineSource = (name: string, ...rules: string[]) =>
  `pipeline "${name}"\nstage 0 match either\n${rules.map((rule) => `rule "${rule}"`).join('\n')}\nend`;

/** A colleague's work comes between the next look at what is stored and what follows from it. */
function afterFind(table: { find(id: string): Promise<unknown> }, work: () => Promise<unknown>): void {
  const find = table.find.bind(table);
  vi.spyOn(table, 'find').mockImplementationOnce(async (id) => {
    const found = await find(id);
    await work();
    return found;
  });
}

async function create(path: string, source: string): Promise<string> {
  const { status, body, text } = await call('POST', path, { body: { source } });
  if (status !== 200) throw new Error(text);
  return body.id;
}

/** What the workers would make of a message now. */
const processed = (frame: object) => processedByWorkers(fixture.processing, frame);

checkRoutes(() => ({ routes: fixture.pipelineRoutes, ...servedBy(fixture.auth) }), { runsPerOperation: 10 });

describe('rules', () => {
  test('are created, listed, read, changed and deleted; the title is the name in the source', async () => {
    const body = {
      title: 'ignored',
      description: 'D',
      source: ruleSource('first'),
      created_at: 'as Graylog sends it',
    };
    const created = await call('POST', RULE, { body });
    expect(created.status).toBe(200);
    expect(created.body).toMatchObject({
      title: 'first',
      description: 'D',
      source: body.source,
      errors: null,
      disabled_reason: null,
    });
    const { id } = created.body;
    expect((await call('GET', RULE)).body).toEqual([created.body]);
    expect((await call('GET', `${RULE}/${id}`)).body).toEqual(created.body);
    const changed = await call('PUT', `${RULE}/${id}`, {
      body: { ...created.body, source: ruleSource('second') },
    });
    expect([changed.status, changed.body.title]).toEqual([200, 'second']);
    const several = await call('POST', `${RULE}/multiple`, { body: { rules: ['second', 'nobody'] } });
    expect(several.body).toEqual([changed.body]);
    expect((await call('DELETE', `${RULE}/${id}`)).status).toBe(204);
    expect((await call('GET', `${RULE}/${id}`)).status).toBe(404);
    expect((await call('PUT', `${RULE}/${UNKNOWN}`, { body: { source: ruleSource('x') } })).status).toBe(404);
    const { items } = await fixture.metadata.repositories.auditLog.listPage({}, { limit: 50, offset: 0 });
    expect(items.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['pipeline_rule.create', 'pipeline_rule.update', 'pipeline_rule.delete']),
    );
  });

  test.each(['rules', 'pipelines'] as const)(
    'the audit log has which of the %s a change replaced',
    async (kind) => {
      const { pipelineRules, pipelines } = fixture.metadata.repositories;
      const [path, table] = kind === 'rules' ? [RULE, pipelineRules] : [PIPELINE, pipelines];
      const sourceOf = kind === 'rules' ? ruleSource : (name: string) => pipelineSource(name, 'any');
      const id = await create(path, sourceOf('first'));
      afterFind(table, () =>
        table.update(id, { title: 'second', description: '', source: sourceOf('second') }, () => {}),
      );
      await call('PUT', `${path}/${id}`, { body: { source: sourceOf('third') } });
      const { items } = await fixture.metadata.repositories.auditLog.listPage({}, { limit: 50, offset: 0 });
      const change = items.find(({ action }) => action.endsWith('.update'));
      expect(change).toMatchObject({ before: { title: 'second' }, after: { title: 'third' } });
    },
  );

  test('come by page: searched, sorted, and only those the reader may read', async () => {
    for (const name of ['b', 'a', 'c'])
      await create(RULE, ruleSource(name, 'true', `set_field("x", "${name}${name}");`));
    const page = await call('GET', `${RULE}/paginated?per_page=2&sort=title&order=desc`);
    expect(page.body).toMatchObject({ total: 3, count: 2, page: 1, per_page: 2, query: '' });
    expect(page.body.rules.map(({ title }: { title: string }) => title)).toEqual(['c', 'b']);
    const found = await call('GET', `${RULE}/paginated?query=AA&sort=modified_at`);
    expect(found.body.rules.map(({ title }: { title: string }) => title)).toEqual(['a']);
    // Times are no text that somebody looks for.
    expect((await call('GET', `${RULE}/paginated?query=20`)).body.total).toBe(0);
    await create(PIPELINE, pipelineSource('p', 'a'));
    const pipelines = await call('GET', `${PIPELINE}/paginated?query=P`);
    expect(pipelines.body).toMatchObject({
      total: 1,
      pipelines: [{ title: 'p', stages: [{ rules: ['a'] }] }],
    });
  });

  test('a change that was made from an older revision is refused, for rules and pipelines', async () => {
    for (const [path, source] of [
      [RULE, ruleSource],
      [PIPELINE, pipelineSource],
    ] as const) {
      const { body: created } = await call('POST', path, { body: { source: source('mine', 'false') } });
      const change = { ...created, source: source('mine', 'true') };
      const { status, body: theirs } = await call('PUT', `${path}/${created.id}`, { body: change });
      expect([status, theirs.revision === created.revision]).toEqual([200, false]);
      const refused = await call('PUT', `${path}/${created.id}`, { body: change });
      expect([refused.status, refused.body.message]).toEqual([
        409,
        expect.stringContaining('"mine" was changed by somebody else meanwhile'),
      ]);
      expect((await call('GET', `${path}/${created.id}`)).body).toEqual(theirs);
      const { revision: _, ...overwriting } = change;
      expect((await call('PUT', `${path}/${created.id}`, { body: overwriting })).status).toBe(200);
    }
  });

  test('a source with problems is answered with the list of them, by every way to save it', async () => {
    const source = 'rule "bad"\nwhen\n  to_strin($message.x) == "y"\nthen\nend';
    const problems = [
      {
        type: 'undeclared_function',
        line: 3,
        position_in_line: 3,
        reason: 'There is no function to_strin.',
        hint: 'Did you mean to_string?',
        fix: { from: 18, to: 26, insert: 'to_string' },
      },
    ];
    const id = await create(RULE, ruleSource('good'));
    for (const [method, path] of [
      ['POST', RULE],
      ['POST', `${RULE}/parse`],
      ['PUT', `${RULE}/${id}`],
    ] as const) {
      const { status, body } = await call(method, path, { body: { source } });
      expect([status, body]).toEqual([400, problems]);
    }
    const parsed = await call('POST', `${RULE}/parse`, { body: { source: ruleSource('fine') } });
    expect([parsed.status, parsed.body.id, parsed.body.title]).toEqual([200, null, 'fine']);
    const taken = await call('POST', RULE, { body: { source: ruleSource('good') } });
    expect([taken.status, taken.body.message]).toEqual([400, 'There is another rule with the name "good".']);
  });

  test('a new name reaches the pipelines that use the rule, and nothing else of them changes', async () => {
    const id = await create(RULE, ruleSource('old'));
    const source =
      'pipeline "p"\n// rule "old" is the first\nstage 0 match either\nrule "old";\nstage 1 match pass rule "older" rule "old"\nend';
    const used = await create(PIPELINE, source);
    const unused = await create(PIPELINE, pipelineSource('q', 'older'));
    await call('POST', `${CONNECTIONS}/to_stream`, {
      body: { stream_id: DEFAULT_STREAM_ID, pipeline_ids: [used] },
    });
    expect((await call('GET', `${RULE}/${id}`)).body.used_in_pipelines).toEqual([
      { id: used, title: 'p', stages: [0, 1] },
    ]);
    const renamed = await call('PUT', `${RULE}/${id}`, { body: { source: ruleSource('a \\"new\\" one') } });
    expect([renamed.status, renamed.body.title]).toEqual([200, 'a "new" one']);
    expect(renamed.body.used_in_pipelines).toEqual([{ id: used, title: 'p', stages: [0, 1] }]);
    const after = (await call('GET', `${PIPELINE}/${used}`)).body;
    expect(after.source).toBe(
      'pipeline "p"\n// rule "old" is the first\nstage 0 match either\nrule "a \\"new\\" one";\nstage 1 match pass rule "older" rule "a \\"new\\" one"\nend',
    );
    expect((await call('GET', `${PIPELINE}/${unused}`)).body.source).toBe(pipelineSource('q', 'older'));
    expect(processed({}).map((message) => message.getField('seen'))).toEqual([true]);
    const { items } = await fixture.metadata.repositories.auditLog.listPage({}, { limit: 50, offset: 0 });
    expect(
      items.filter(({ action, objectId }) => action === 'pipeline.update' && objectId === used),
    ).toHaveLength(1);
    const list = (await call('GET', RULE)).body;
    expect(list[0].used_in_pipelines).toHaveLength(1);
  });

  test('a new name is refused, and nothing changes, when the user may not edit a pipeline that uses it', async () => {
    const id = await create(RULE, ruleSource('old'));
    const used = await create(PIPELINE, pipelineSource('p', 'old'));
    await create(PIPELINE, pipelineSource('hidden', 'old'));
    await fixture.auth.addUser('author', [`pipeline_rule:edit:${id}`, `pipeline:read:${used}`]);
    const refused = await call('PUT', `${RULE}/${id}`, { as: 'author', body: { source: ruleSource('new') } });
    expect([refused.status, refused.body.message]).toEqual([
      403,
      expect.stringContaining('("p", 1 that you may not read)'),
    ]);
    expect((await call('GET', `${RULE}/${id}`)).body.title).toBe('old');
    const same = await call('PUT', `${RULE}/${id}`, {
      as: 'author',
      body: { source: ruleSource('old', 'false') },
    });
    expect([same.status, same.body.used_in_pipelines]).toEqual([
      200,
      [{ id: used, title: 'p', stages: [0] }],
    ]);
  });

  test('functions are listed with their parameters', async () => {
    const { body } = await call('GET', `${RULE}/functions`);
    expect(body.length).toBeGreaterThan(100);
    expect(body.find(({ name }: { name: string }) => name === 'substring')).toMatchObject({
      return_type: 'String',
      params: [
        { name: 'value', type: 'String', optional: false },
        { name: 'start', type: 'Long', optional: false },
        { name: 'indexEnd', type: 'Long', optional: true },
      ],
    });
  });
});

describe('pipelines', () => {
  test('are stored with their stages and connected to streams from either side', async () => {
    const source = 'pipeline "p"\nstage 5 match all\nrule "b"\nstage 1 match pass\nrule "a"\nend';
    const created = await call('POST', PIPELINE, { body: { source } });
    expect(created.body).toMatchObject({
      title: 'p',
      errors: null,
      stages: [
        { stage: 1, match: 'PASS', match_all: false, rules: ['a'] },
        { stage: 5, match: 'ALL', match_all: true, rules: ['b'] },
      ],
    });
    const { id } = created.body;
    expect((await call('GET', `${CONNECTIONS}/${DEFAULT_STREAM_ID}`)).status).toBe(404);
    const connection = { id: DEFAULT_STREAM_ID, stream_id: DEFAULT_STREAM_ID, pipeline_ids: [id] };
    const toStream = { stream_id: DEFAULT_STREAM_ID, pipeline_ids: [id] };
    expect((await call('POST', `${CONNECTIONS}/to_stream`, { body: toStream })).body).toEqual(connection);
    expect((await call('GET', CONNECTIONS)).body).toEqual([connection]);
    expect((await call('GET', `${CONNECTIONS}/${DEFAULT_STREAM_ID}`)).body).toEqual(connection);
    const cleared = await call('POST', `${CONNECTIONS}/to_pipeline`, {
      body: { pipeline_id: id, stream_ids: [] },
    });
    expect(cleared.body).toEqual([]);
    for (const body of [
      { stream_id: UNKNOWN, pipeline_ids: [] },
      { ...toStream, pipeline_ids: [UNKNOWN] },
    ]) {
      expect((await call('POST', `${CONNECTIONS}/to_stream`, { body })).status).toBe(404);
    }
    await call('POST', `${CONNECTIONS}/to_stream`, { body: toStream });
    expect((await call('DELETE', `${PIPELINE}/${id}`)).status).toBe(204);
    expect((await call('GET', CONNECTIONS)).body).toEqual([]);
    const bad = await call('POST', PIPELINE, { body: { source: 'pipeline "p" end' } });
    expect([bad.status, bad.body[0].reason]).toEqual([400, 'The pipeline has no stage.']);
  });

  test('reach the workers with the next snapshot, and so does every change', async () => {
    const ruleId = await create(RULE, ruleSource('mark', 'has_field("a")'));
    const id = await create(PIPELINE, pipelineSource('p', 'mark'));
    expect(processed({ _a: 1 })[0]?.getField('seen')).toBeUndefined();
    await call('POST', `${CONNECTIONS}/to_stream`, {
      body: { stream_id: DEFAULT_STREAM_ID, pipeline_ids: [id] },
    });
    expect(processed({ _a: 1 })[0]?.getField('seen')).toBe(true);
    await call('PUT', `${RULE}/${ruleId}`, {
      body: { source: ruleSource('mark', 'true', 'drop_message();') },
    });
    expect(processed({})).toEqual([]);
    await call('DELETE', `${RULE}/${ruleId}`);
    expect(processed({})).toHaveLength(1);
  });

  test('a rule that is too slow too often is disabled and named; saving it enables it again', async () => {
    const source = ruleSource('slow', 'regex("^(a+)+$", to_string($message.bait)).matches');
    const ruleId = await create(RULE, source);
    const { faults, pipelines } = fixture.processing.snapshot() ?? {};
    const slot = pipelines?.rules[0]?.faultSlot ?? -1;
    for (let count = 1; count <= 4; count++) {
      Atomics.add(new Int32Array(faults as SharedArrayBuffer), slot, 1);
      fixture.processing.ruleFaultReported({ ruleId, count });
    }
    await fixture.processing.stop();
    const disabled = (await call('GET', `${RULE}/${ruleId}`)).body;
    expect(disabled.disabled_reason).toContain('It took longer than 2000 ms on 4 messages');
    expect(fixture.processing.snapshot()?.pipelines.rules).toEqual([]);
    const notices = async () =>
      (await fixture.notifications.list()).filter(({ type }) => type === 'pipeline_rule_disabled');
    expect(await notices()).toMatchObject([{ key: ruleId, details: { rule_title: 'slow' } }]);
    const enabled = await call('PUT', `${RULE}/${ruleId}`, { body: { source } });
    expect(enabled.body.disabled_reason).toBeNull();
    expect(fixture.processing.snapshot()?.pipelines.rules).toHaveLength(1);
    expect(await notices()).toEqual([]);
  });
});

describe('who may do what', () => {
  const stream = async (title: string): Promise<string> =>
    (await call('POST', '/streams', { body: { title, index_set_id: DEFAULT_INDEX_SET_ID } })).body.stream_id;
  const connect = (as: string, path: string, body: object) =>
    fixture.call('POST', `${CONNECTIONS}/${path}`, { as, body });

  test('a pipeline is connected only to streams the user may read, and only one the user may read', async () => {
    const [own, secret] = [await stream('own'), await stream('secret')];
    const mine = await create(PIPELINE, pipelineSource('mine', 'x'));
    const other = await create(PIPELINE, pipelineSource('other', 'x'));
    await fixture.auth.addUser('ada', [
      'pipeline_connection:edit,read',
      `pipeline:read:${mine}`,
      `streams:read:${own}`,
    ]);
    for (const [path, body] of [
      ['to_stream', { stream_id: secret, pipeline_ids: [mine] }],
      ['to_stream', { stream_id: own, pipeline_ids: [other] }],
      ['to_pipeline', { pipeline_id: mine, stream_ids: [own, secret] }],
      ['to_pipeline', { pipeline_id: other, stream_ids: [own] }],
      ['to_pipeline', { pipeline_id: mine, stream_ids: [UNKNOWN] }],
    ] as const) {
      expect([path, body, (await connect('ada', path, body)).status]).toEqual([path, body, 403]);
    }
    expect((await call('GET', CONNECTIONS)).body).toEqual([]);
    const done = await connect('ada', 'to_pipeline', { pipeline_id: mine, stream_ids: [own] });
    expect(done.body).toEqual([{ id: own, stream_id: own, pipeline_ids: [mine] }]);
  });

  test('connections the user cannot see stay as they are', async () => {
    const [own, secret] = [await stream('own'), await stream('secret')];
    const mine = await create(PIPELINE, pipelineSource('mine', 'x'));
    const other = await create(PIPELINE, pipelineSource('other', 'x'));
    await fixture.auth.addUser('ada', [
      'pipeline_connection:edit,read',
      `pipeline:read:${mine}`,
      `streams:read:${own}`,
    ]);
    await connect('admin', 'to_pipeline', { pipeline_id: mine, stream_ids: [own, secret] });
    await connect('admin', 'to_stream', { stream_id: own, pipeline_ids: [mine, other] });
    const cleared = await connect('ada', 'to_pipeline', { pipeline_id: mine, stream_ids: [] });
    expect([cleared.status, cleared.body]).toEqual([200, []]);
    const pipelinesOf = async (id: string) => (await call('GET', `${CONNECTIONS}/${id}`)).body.pipeline_ids;
    expect(await pipelinesOf(secret)).toEqual([mine]);
    expect(await pipelinesOf(own)).toEqual([other]);
    await connect('ada', 'to_stream', { stream_id: own, pipeline_ids: [mine] });
    expect((await pipelinesOf(own)).toSorted()).toEqual([mine, other].toSorted());
    await connect('ada', 'to_stream', { stream_id: own, pipeline_ids: [] });
    expect(await pipelinesOf(own)).toEqual([other]);
  });

  test('streams whose connections the user may not see stay connected; listed ones can be sent back', async () => {
    const [own, unseen, secret] = [await stream('own'), await stream('unseen'), await stream('secret')];
    const mine = await create(PIPELINE, pipelineSource('mine', 'x'));
    await fixture.auth.addUser('ada', [
      'pipeline:read',
      'pipeline_connection:edit',
      `pipeline_connection:read:${own}`,
      `pipeline_connection:read:${secret}`,
      `streams:read:${own}`,
      `streams:read:${unseen}`,
    ]);
    const connectOnly = async (as: string, ...ids: string[]) => {
      const { status } = await connect(as, 'to_pipeline', { pipeline_id: mine, stream_ids: ids });
      const left = (await call('GET', CONNECTIONS)).body as { stream_id: string }[];
      return [status, left.map((each) => each.stream_id).toSorted()];
    };
    await connectOnly('admin', unseen, secret);
    expect(await connectOnly('ada', own, secret)).toEqual([200, [own, unseen, secret].toSorted()]);
    expect(await connectOnly('ada')).toEqual([200, [unseen, secret].toSorted()]);
    await connectOnly('admin', unseen);
    expect(await connectOnly('ada', secret)).toEqual([403, [unseen]]);
  });

  test('a reader neither changes nor checks rules and pipelines', async () => {
    await fixture.auth.addUser('reader', [], ['Reader']);
    const ruleId = await create(RULE, ruleSource('r'));
    const pipelineId = await create(PIPELINE, pipelineSource('p', 'r'));
    const rule = { source: ruleSource('r') };
    const pipeline = { source: pipelineSource('p', 'r') };
    for (const [method, path, body] of [
      ['POST', RULE, rule],
      ['PUT', `${RULE}/${ruleId}`, rule],
      ['POST', `${RULE}/parse`, rule],
      ['POST', PIPELINE, pipeline],
      ['PUT', `${PIPELINE}/${pipelineId}`, pipeline],
      ['POST', `${PIPELINE}/parse`, pipeline],
      ['POST', `${CONNECTIONS}/to_stream`, { stream_id: DEFAULT_STREAM_ID, pipeline_ids: [pipelineId] }],
      ['POST', `${CONNECTIONS}/to_pipeline`, { pipeline_id: pipelineId, stream_ids: [DEFAULT_STREAM_ID] }],
    ] as const) {
      expect([path, (await fixture.call(method, path, { as: 'reader', body })).status]).toEqual([path, 403]);
    }
    await fixture.auth.addUser('author', ['pipeline_rule:create', 'pipeline:edit']);
    for (const [path, body] of [
      [`${RULE}/parse`, rule],
      [`${PIPELINE}/parse`, pipeline],
    ] as const) {
      expect((await fixture.call('POST', path, { as: 'author', body })).status).toBe(200);
    }
    const hidden = await fixture.call('POST', `${RULE}/multiple`, { as: 'reader', body: { rules: ['r'] } });
    expect([hidden.status, hidden.body]).toEqual([200, []]);
  });
});

test('clients of Graylog 2 use the paths of its plugin', async () => {
  const old = '/plugins/org.graylog.plugins.pipelineprocessor';
  const created = await call('POST', `${old}${RULE}`, { body: { source: ruleSource('r') } });
  expect([created.status, created.body.title]).toEqual([200, 'r']);
  expect((await call('GET', `${old}${RULE}/${created.body.id}?pretty=true`)).body).toEqual(created.body);
  expect((await call('GET', `${old}${CONNECTIONS}`)).body).toEqual([]);
  expect((await fixture.call('GET', `${old}${RULE}`, {})).status).toBe(401);
  expect((await call('GET', `${old}/system/other`)).status).toBe(404);
});

describe('message processors', () => {
  const PATH = '/system/messageprocessors/config';
  const streamRules = 'org.graylog2.messageprocessors.StreamMatcherFilterProcessor';
  const pipelines = 'org.graylog.plugins.pipelineprocessor.processors.PipelineInterpreter';

  test('run stream rules first, unless somebody sets another order', async () => {
    const names = (body: { processor_order: { class_name: string }[] }) =>
      body.processor_order.map(({ class_name }) => class_name);
    expect(names((await call('GET', PATH)).body)).toEqual([streamRules, pipelines]);
    const body = {
      processor_order: [
        { name: 'Pipeline Processor', class_name: pipelines },
        {
          name: 'Message Filter Chain',
          class_name: 'org.graylog2.messageprocessors.MessageFilterChainProcessor',
        },
      ],
      disabled_processors: [streamRules],
    };
    const changed = await call('PUT', PATH, { body });
    expect([changed.status, names(changed.body)]).toEqual([200, [pipelines, streamRules]]);
    expect(changed.body.disabled_processors).toEqual([streamRules]);
    expect(fixture.processing.snapshot()?.messageProcessors).toEqual({
      order: ['pipelines', 'stream_rules'],
      disabled: ['stream_rules'],
    });
    const bad = await call('PUT', PATH, { body: { processor_order: [{ class_name: 'org.x.Y' }] } });
    expect([bad.status, bad.body.message]).toEqual([400, expect.stringContaining('"org.x.Y"')]);
  });
});
