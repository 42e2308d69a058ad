import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { aNotice } from '#testing/alert-notice.ts';
import { startHttpReceiver } from '#testing/http-receiver.ts';
import { ManualClock } from '#testing/manual-clock.ts';
import { notificationContext, sendNotice } from '#testing/notification-fixture.ts';
import { httpNotification } from './notification.ts';

test('the JSON of an event', async () => {
  const receiver = await startHttpReceiver();
  await sendNotice(httpNotification, { url: receiver.url }, aNotice({ key: ['a', 'b'] }));
  const [call] = receiver.calls;
  expect(call?.headers['content-type']).toBe('application/json');
  const body = JSON.parse(call?.body ?? '');
  expect(Object.keys(body)).toEqual(
    expect.arrayContaining([
      'event_definition_id',
      'event_definition_type',
      'event_definition_title',
      'event_definition_description',
      'job_definition_id',
      'job_trigger_id',
      'event',
      'backlog',
    ]),
  );
  expect(Object.keys(body.event)).toEqual(
    expect.arrayContaining(
      'id event_definition_type event_definition_id origin_context timestamp timestamp_processing timerange_start timerange_end streams source_streams message source key_tuple key priority scores alert fields group_by_fields replay_info'.split(
        ' ',
      ),
    ),
  );
  expect(body).toMatchObject({
    event_definition_title: 'Too many errors',
    event: {
      id: 'alert-1',
      timestamp: '2026-03-01T12:00:00.000Z',
      timerange_start: '2026-03-01T11:55:00.000Z',
      key_tuple: ['a', 'b'],
      key: 'a|b',
      priority: 2,
      alert: true,
      source_streams: ['5f0000000000000000000001'],
    },
    backlog: [
      {
        id: '01hxf0000000000000000000aa',
        index: 'millrace_0',
        message: 'payment failed',
        source: 'shop-1',
        timestamp: '2026-03-01T11:59:59.000Z',
        stream_ids: ['5f0000000000000000000001'],
        fields: { level: 3, user: 'anna' },
      },
    ],
  });
});

test('the JSON of an alarm callback, with the whole stream', async () => {
  const receiver = await startHttpReceiver();
  const stream = { id: '5f0000000000000000000001', title: 'Shop', rules: [], matching_type: 'AND' };
  const context = notificationContext({ findStream: async () => stream });
  const raw = httpNotification.normalize({ url: receiver.url }, httpNotification.callback.type);
  await sendNotice(httpNotification, { ...raw }, aNotice(), context);
  const body = JSON.parse(receiver.calls[0]?.body ?? '');
  expect(body).toMatchObject({
    check_result: {
      result_description: aNotice().resultDescription,
      triggered: true,
      triggered_at: '2026-03-01T12:00:00.000Z',
      triggered_condition: {
        id: aNotice().rule.id,
        type: 'message_count',
        title: 'Too many errors',
        creator_user_id: 'anna',
        grace: 1,
        backlog: 5,
        parameters: { time: 5, threshold: 3 },
      },
      matching_messages: [{ message: 'payment failed', stream_ids: ['5f0000000000000000000001'] }],
    },
    stream,
  });
});

test('a template, escaped for its content type', async () => {
  const receiver = await startHttpReceiver();
  const notice = aNotice({ resultDescription: 'a "quoted"\n& more' });
  const send = (configuration: Record<string, unknown>) =>
    sendNotice(
      httpNotification,
      { ...httpNotification.normalize({ url: receiver.url, ...configuration }, 'http-notification-v2') },
      notice,
    );
  await send({ body_template: '{"text":"${event.message}"}', method: 'PUT' });
  await send({
    body_template: 'text=${event.message}&x=1',
    content_type: 'application/x-www-form-urlencoded',
  });
  await send({ body_template: '${event.message}', content_type: 'text/plain' });
  await send({ body_template: '${event.message}', method: 'GET' });
  expect(receiver.calls.map(({ method, body }) => [method, body])).toEqual([
    ['PUT', '{"text":"a \\"quoted\\"\\n& more"}'],
    ['POST', 'text=a%20%22quoted%22%0A%26%20more&x=1'],
    ['POST', 'a "quoted"\n& more'],
    ['GET', ''],
  ]);
});

test('credentials and the signature', async () => {
  const receiver = await startHttpReceiver();
  const clock = new ManualClock(1_772_366_400_000);
  await sendNotice(
    httpNotification,
    {
      url: `${receiver.url}?a=1`,
      basic_auth: 'user:pass',
      headers: [{ name: 'X-Team', value: 'ops' }],
      secret_headers: [{ name: 'X-Token', value: 's3cret' }],
      api_key: 'key',
      api_secret: 'api s3cret',
      signature_secret: 'signing secret',
    },
    aNotice(),
    notificationContext({ clock }),
  );
  const [call] = receiver.calls;
  expect(call?.path).toBe('/?a=1&key=api+s3cret');
  expect(call?.headers).toMatchObject({
    authorization: `Basic ${Buffer.from('user:pass').toString('base64')}`,
    'x-team': 'ops',
    'x-token': 's3cret',
  });
  const digest = createHmac('sha256', 'signing secret').update(`1772366400.${call?.body}`).digest('hex');
  expect(call?.headers['x-millrace-signature']).toBe(`t=1772366400,v1=${digest}`);
});

test('what cannot be sent is refused when it is saved', () => {
  const problems = (raw: Record<string, unknown>) =>
    httpNotification.problemsOf({ url: 'https://example.org/', ...raw }).map(({ path }) => path);
  expect(problems({})).toEqual([]);
  expect(problems({ url: 'ftp://example.org/' })).toEqual(['url']);
  expect(problems({ payload: 'template' })).toEqual(['body_template']);
  expect(problems({ payload: 'template', body_template: '${if x}' })).toEqual(['body_template']);
  expect(problems({ headers: [{ name: 'X-A', value: 'a\r\nX-B: b' }] })).toEqual(['headers[0].value']);
  expect(problems({ headers: [{ name: 'X A', value: 'a' }] })).toEqual(['headers[0].name']);
  expect(problems({ secret_headers: [{ name: 'X-A', value: 'a\nb' }] })).toEqual(['secret_headers[0].value']);
  expect(problems({ api_secret: 'x' })).toEqual(['api_key']);
});

test("Graylog's headers as one text", () => {
  expect(
    httpNotification.normalize({ headers: 'X-A: 1\nX-B:2; X-C: a:b' }, 'http-notification-v2').headers,
  ).toEqual([
    { name: 'X-A', value: '1' },
    { name: 'X-B', value: '2' },
    { name: 'X-C', value: 'a:b' },
  ]);
});
