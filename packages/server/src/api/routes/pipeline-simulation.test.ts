import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEFAULT_STREAM_ID } from '#core/index.ts';
import { createStreamsFixture, OTHER_INDEX_SET_ID, type StreamsFixture } from '#testing/streams-fixture.ts';

const SIMULATE = '/system/pipelines/simulate';
const PREVIEW = '/system/pipelines/preview';
/** Takes longer than any limit on a text without the letter. */
const CATASTROPHE = 'regex("(a|aa)+b", to_string($message.message)).matches == true';
const SLOW_TEXT = 'a'.repeat(200);

let fixture: StreamsFixture;
let shop: string;
beforeAll(async () => {
  fixture = await createStreamsFixture({ streamTimeoutMs: 1000 });
  shop = (await call('POST', '/streams', { title: 'shop', index_set_id: OTHER_INDEX_SET_ID, rules: [] })).body
    .stream_id;
});
afterAll(() => fixture.close());

const call = (method: 'POST' | 'GET', path: string, body?: object, as = 'admin') =>
  fixture.call(method, path, { as, ...(body && { body }) });

const rule = (name: string, condition: string, then: string) =>
  `rule "${name}"\nwhen\n  ${condition}\nthen\n  ${then}\nend`;

async function create(kind: 'rule' | 'pipeline', source: string): Promise<string> {
  const { status, body, text } = await call('POST', `/system/pipelines/${kind}`, { source });
  if (status !== 200) throw new Error(text);
  return body.id;
}

describe('simulate', () => {
  beforeAll(async () => {
    await create(
      'rule',
      rule(
        'took to ms',
        'has_field("took")',
        'set_field("took_ms", to_long($message.took));\nremove_field("took");',
      ),
    );
    await create(
      'rule',
      rule('to the shop', 'has_field("cart")', 'route_to_stream(name: "shop", remove_from_default: true);'),
    );
    await create('rule', rule('drop health', 'to_string($message.path) == "/health"', 'drop_message();'));
    await create(
      'rule',
      rule(
        'copy',
        'has_field("copy_me") && ! has_field("copy")',
        'let c = clone_message();\nset_field(field: "copy", value: true, message: c);',
      ),
    );
    await create('rule', rule('fails', 'has_field("bad_time")', 'set_field("timestamp", "no date");'));
    const id = await create(
      'pipeline',
      'pipeline "web"\nstage 0 match pass\nrule "took to ms"\nrule "to the shop"\nrule "copy"\nrule "fails"\nstage 1 match pass\nrule "drop health"\nend',
    );
    await call('POST', '/system/pipelines/connections/to_stream', {
      stream_id: DEFAULT_STREAM_ID,
      pipeline_ids: [id],
    });
  });

  const simulate = async (message: object, more: object = {}) =>
    (await call('POST', SIMULATE, { stream_id: DEFAULT_STREAM_ID, message, ...more })).body;

  test('shows what would be stored, and what each rule did', async () => {
    const { body, status } = await call('POST', SIMULATE, {
      stream_id: DEFAULT_STREAM_ID,
      message: {
        _id: 'x',
        message: 'text',
        source: 'web-1',
        timestamp: '2026-06-10 12:00:00.000',
        took: '1840',
        streams: [],
      },
      input_id: 'abc',
    });
    expect(status).toBe(200);
    expect(body.messages).toEqual([
      {
        index: '',
        message: {
          _id: 'x',
          timestamp: '2026-06-10T12:00:00.000Z',
          source: 'web-1',
          message: 'text',
          level: 1,
          took_ms: 1840,
          gl2_source_input: 'abc',
          streams: [DEFAULT_STREAM_ID],
        },
      },
    ]);
    expect(body.trace).toHaveLength(5);
    expect(body.trace[0]).toEqual({
      pipeline: 'web',
      stage: 0,
      rule: 'took to ms',
      message: 0,
      matched: true,
      took_us: expect.any(Number),
      changes: [
        { field: 'took_ms', before: null, after: 1840 },
        { field: 'took', before: '1840', after: null },
      ],
      dropped: false,
    });
    expect(body.trace[4]).toMatchObject({ stage: 1, rule: 'drop health', matched: false, changes: [] });
    expect(body.is_trace_complete).toBe(true);
    expect(body.took_microseconds).toBeGreaterThan(0);
    // Times count from the first rule, not from the start of the thread.
    const lastTime = body.simulation_trace.at(-1).time;
    expect(lastTime).toBeLessThanOrEqual(body.took_microseconds + 1);
    expect(body.simulation_trace.map(({ message }: { message: string }) => message)).toContain(
      "Executed rule 'took to ms' in stage 0 of pipeline 'web'",
    );
  });

  test('a dropped message is not among the results; clones are, and pass the pipelines themselves', async () => {
    const dropped = await simulate({ message: 'm', path: '/health' });
    expect(dropped.messages).toEqual([]);
    expect(dropped.trace.at(-1)).toMatchObject({ rule: 'drop health', matched: true, dropped: true });
    const cloned = await simulate({ message: 'm', copy_me: 'yes' });
    expect(cloned.messages.map(({ message }: { message: object }) => message)).toMatchObject([
      { copy_me: 'yes' },
      { copy_me: 'yes', copy: true },
    ]);
    const ofClone = cloned.trace.filter(({ message }: { message: number }) => message === 1);
    expect(
      ofClone.map(({ rule: name, matched }: { rule: string; matched: boolean }) => [name, matched]),
    ).toContainEqual(['copy', false]);
  });

  test('streams that do not run are not routed to; the error of a rule is shown', async () => {
    const { messages } = await simulate({ message: 'm', cart: 1 });
    expect(messages[0].message.streams).toEqual([DEFAULT_STREAM_ID]);
    const failed = await simulate({ message: 'm', bad_time: 1 });
    expect(failed.errors).toEqual([expect.stringContaining("For rule 'fails'")]);
    expect(failed.messages[0].message.gl2_processing_error).toContain('is a date');
    expect(failed.trace.find(({ rule: name }: { rule: string }) => name === 'fails').error).toContain(
      'is a date',
    );
  });

  test('one rule or pipeline, stored or not, can run alone, and a rule in place of a stored one', async () => {
    const alone = await simulate(
      { message: 'm', took: '5' },
      {
        rule_source: rule('a "new" one', 'true', 'set_field("seen", true);').replaceAll('"new"', '\\"new\\"'),
      },
    );
    expect(alone.trace).toMatchObject([{ rule: 'a "new" one', matched: true }]);
    expect(alone.messages[0].message).toMatchObject({ took: '5', seen: true });
    const replaced = await simulate(
      { message: 'm', took: '5' },
      { with_rules: [rule('took to ms', 'true', 'set_field("other", 1);')] },
    );
    expect(replaced.messages[0].message).toMatchObject({ took: '5', other: 1 });
    const pipeline = await simulate(
      { message: 'm', took: '5', path: '/health' },
      { pipeline_source: 'pipeline "p" stage 3 match all rule "took to ms" end' },
    );
    expect(pipeline.trace).toMatchObject([{ pipeline: 'p', stage: 3, rule: 'took to ms', matched: true }]);
    const bad = await call('POST', SIMULATE, {
      message: { message: 'm' },
      rule_source: 'rule "x" when nothing() then end',
    });
    expect([bad.status, bad.body[0].type]).toEqual([400, 'undeclared_function']);
  });

  test('debug() is shown and written nowhere; a rule that never ends is ended, and the next one runs', async () => {
    const { simulation_trace } = await simulate(
      { message: 'm' },
      { rule_source: rule('d', 'true', 'debug("here I am");') },
    );
    expect(simulation_trace).toContainEqual({
      time: expect.any(Number),
      message: expect.stringContaining('here I am'),
    });
    const slow = await simulate(
      { message: SLOW_TEXT },
      {
        pipeline_source: 'pipeline "p" stage 0 match pass rule "slow" stage 1 match pass rule "quick" end',
        with_rules: [rule('slow', CATASTROPHE, ''), rule('quick', 'true', 'set_field("quick", true);')],
      },
    );
    expect(slow.errors).toEqual(['Rule <slow> took longer than 1000 ms']);
    expect(slow.trace[0]).toMatchObject({
      rule: 'slow',
      matched: false,
      error: expect.stringContaining('1000 ms'),
    });
  });

  test('a stored message is taken with its streams', async () => {
    fixture.stored.length = 0;
    fixture.stored.push({
      id: 'id-1',
      index: 'millrace_0',
      timestamp: 0,
      receivedAt: 0,
      fields: new Map<string, string | bigint | string[]>([
        ['message', 'stored'],
        ['big', 9_007_199_254_740_993n],
        ['took', '7'],
        ['streams', [DEFAULT_STREAM_ID]],
        ['gl2_processing_error', 'of an earlier run'],
      ]),
    });
    const { text, body } = await call('POST', SIMULATE, { index: 'millrace_0', message_id: 'id-1' });
    expect(body.messages[0].message).toMatchObject({ _id: 'id-1', took_ms: 7, streams: [DEFAULT_STREAM_ID] });
    expect(text).toContain('9007199254740993');
    expect(text).not.toContain('of an earlier run');
    const unknown = await call('POST', SIMULATE, { index: 'millrace_0', message_id: 'other' });
    expect(unknown.status).toBe(404);
  });

  test.each([
    [{}, 400, 'Give a message'],
    [{ message: { timestamp: 'soon' } }, 400, '"soon" is not a timestamp'],
    [{ message: { 'a b': 1 } }, 400, '"a b" is not a name of a field'],
    [{ message: {}, stream_id: 'cccccccccccccccccccccccc' }, 404, 'no stream cccccccccccccccccccccccc'],
    [{ message: {}, rule_id: 'none' }, 404, 'no rule none'],
    [{ message: {}, pipeline_id: 'none' }, 404, 'no pipeline none'],
    [{ message: {}, rule_id: 'a', pipeline_id: 'b' }, 400, 'only one of rule_id and pipeline_id'],
  ])('%j is refused with %i', async (body, status, text) => {
    const answer = await call('POST', SIMULATE, body);
    expect([answer.status, answer.body.message]).toEqual([status, expect.stringContaining(text)]);
  });

  test('needs the permissions to read rules and the stream, and to write rules for a source', async () => {
    const message = { message: 'm' };
    await fixture.auth.addUser('nobody', []);
    await fixture.auth.addUser('rules-only', ['pipeline_rule:read', `streams:read:${shop}`]);
    const source = { rule_source: rule('x', 'true', '') };
    for (const [as, body, status] of [
      ['nobody', { message, stream_id: DEFAULT_STREAM_ID }, 403],
      ['rules-only', { message, stream_id: DEFAULT_STREAM_ID }, 403],
      ['rules-only', { message, stream_id: shop }, 200],
      ['rules-only', { message, stream_id: shop, ...source }, 403],
    ] as const) {
      expect([as, (await call('POST', SIMULATE, body, as)).status]).toEqual([as, status]);
    }
  });
});

describe('preview', () => {
  const message = (id: string, fields: Record<string, string | number>) => ({
    id,
    index: 'millrace_0',
    timestamp: Date.UTC(2026, 0, 1),
    receivedAt: Date.UTC(2026, 0, 1),
    fields: new Map<string, string | number | string[]>([
      ['source', 's'],
      ['level', 6],
      ['streams', [DEFAULT_STREAM_ID]],
      ...Object.entries(fields),
    ]),
  });
  const preview = async (body: object) => {
    const answer = await call('POST', PREVIEW, body);
    if (answer.status !== 200) throw new Error(answer.text);
    return answer.body;
  };

  test('counts what a rule would change, drop, copy and fail on, and shows the messages', async () => {
    fixture.stored.length = 0;
    for (let number = 0; number < 600; number++) {
      fixture.stored.push(message(`id-${number}`, { message: `text ${number}`, number, kind: number % 3 }));
    }
    const changed = await preview({
      rule_source: rule('r', 'to_long($message.kind) == 1', 'set_field("one", true);'),
      examples: 2,
    });
    expect(changed).toMatchObject({
      looked_at: 600,
      is_complete: true,
      changed: 200,
      dropped: 0,
      rerouted: 0,
      created: 0,
      failed: 0,
      rules: [{ rule: 'r', matched: 200 }],
      disabled_rules: [],
      lookup_tables_left_out: [],
    });
    expect(changed.messages).toEqual([
      {
        index: 'millrace_0',
        id: 'id-1',
        timestamp: '2026-01-01T00:00:00.000Z',
        message: 'text 1',
        rules: ['r'],
        changes: [{ field: 'one', before: null, after: true }],
        dropped: false,
        streams_added: [],
        streams_removed: [],
        created: [],
        created_count: 0,
        errors: [],
      },
      expect.objectContaining({ id: 'id-4' }),
    ]);
    const pipeline = await preview({
      pipeline_source: 'pipeline "p" stage 0 match pass rule "drops" rule "makes" rule "bad" end',
      with_rules: [
        rule('drops', 'has_field("kind") && to_long($message.kind) == 0', 'drop_message();'),
        rule('makes', 'to_long($message.kind) == 1', 'create_message("made");'),
        rule('bad', 'to_long($message.kind) == 2', 'set_field("level", "high");'),
      ],
      sample: 300,
    });
    expect(pipeline).toMatchObject({
      looked_at: 300,
      is_complete: false,
      dropped: 100,
      created: 100,
      failed: 100,
    });
    expect(pipeline.messages[1].created).toEqual([expect.objectContaining({ message: 'made' })]);
    expect(pipeline.messages).toHaveLength(50);
  });

  const LARGE = 'é'.repeat(1024 * 1024);
  const copies = (number: number) =>
    Array.from({ length: number }, (_, copy) => `let c${copy} = clone_message();`).join('\n');
  const COPIES = rule('copies', 'has_field("original")', `${copies(60)}\nset_field("done", 1);`);

  test('large messages and many copies of them make no large answer', async () => {
    fixture.stored.length = 0;
    const fields = { message: LARGE, original: 1, other: LARGE };
    for (let number = 0; number < 20; number++) fixture.stored.push(message(`${number}`, fields));
    const answer = await preview({ rule_source: COPIES });
    expect(answer.looked_at).toBe(20);
    expect(answer.changed).toBe(20);
    expect(answer.created).toBeGreaterThanOrEqual(20);
    expect(answer.messages[0].message).toHaveLength(2000);
    expect(answer.messages[0].created[0].other).toHaveLength(2000);
    const simulated = await call('POST', SIMULATE, { message: fields, rule_source: COPIES });
    expect(simulated.status).toBe(200);
    expect(simulated.body.message_count).toBeGreaterThanOrEqual(2);
    expect(simulated.body.messages[0].message.other).toHaveLength(32_768);
    expect(simulated.text.length).toBeLessThan(10 * 1024 * 1024);
  });

  test('a rule that takes too long is disabled after a few messages, as it would be', async () => {
    fixture.stored.length = 0;
    for (let number = 0; number < 20; number++)
      fixture.stored.push(message(`${number}`, { message: SLOW_TEXT }));
    const answer = await preview({ rule_source: rule('slow', CATASTROPHE, 'set_field("x", 1);') });
    expect(answer).toMatchObject({ looked_at: 20, failed: 4, changed: 0, disabled_rules: ['slow'] });
  });

  test('a stream that the user may not read is refused', async () => {
    const { status } = await call('POST', PREVIEW, { streams: [DEFAULT_STREAM_ID] }, 'rules-only');
    expect(status).toBe(403);
    expect((await call('POST', PREVIEW, {}, 'nobody')).status).toBe(403);
  });
});
