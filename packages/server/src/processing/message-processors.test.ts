import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CODECS } from '#codecs/index.ts';
import { type Message, monotonicClock, parseMessageId, type RoutedBatch } from '#core/index.ts';
import { type MessageProcessorOrder, STREAM_RULES_PROCESSOR } from '#streams/index.ts';
import { createMetrics } from '#telemetry/index.ts';
import { ManualClock } from '#testing/manual-clock.ts';
import { processingSnapshot, TEST_DEFAULT_STREAM, testStream } from '#testing/processing-snapshot.ts';
import { type FixtureRecord, recordBatch } from '#testing/record-batch.ts';
import { MAX_MESSAGES_PER_RECORD, type ProcessingBatch, type Step } from './framework/index.ts';
import { createProcessor } from './processor.ts';

const ALL = TEST_DEFAULT_STREAM.id;
const STREAMS = [testStream('blog'), testStream('mail'), testStream('shop', { outputIds: ['o1'] })];

type Change = (batch: ProcessingBatch, index: number, message: Message) => void;

/** A step that changes the messages that were there when it began. */
function eachMessage(change: Change): Step {
  return function testStep(batch) {
    const count = batch.messages.length;
    for (let index = 0; index < count; index++) change(batch, index, batch.messages[index] as Message);
  };
}

function processing(steps: Readonly<Record<string, Step>>, messageProcessors?: MessageProcessorOrder) {
  const metrics = createMetrics({ clock: new ManualClock() });
  const processor = createProcessor(
    {
      metrics,
      monotonic: monotonicClock,
      codecs: CODECS,
      faulted: () => {},
      messageProcessors: Object.entries(steps).map(([id, step]) => ({ id, createStep: () => step })),
    },
    { partition: 'node-1/0' },
  );
  processor.useSnapshot(
    processingSnapshot({ streams: STREAMS, ...(messageProcessors && { messageProcessors }) }),
  );
  return { processor, metrics };
}

function run(change: Change, records: readonly FixtureRecord[], order?: MessageProcessorOrder): RoutedBatch {
  return processing({ test: eachMessage(change) }, order).processor.process(recordBatch(records, 40));
}

const app = (name: string, text = name): FixtureRecord => ({
  frame: { version: '1.1', host: 'web-1', short_message: text, _app: name },
});

const textsOf = ({ messages }: RoutedBatch) => messages.map(({ message }) => message);
const streamsOf = ({ messages }: RoutedBatch) => messages.map(({ streams }) => streams);
const idsOf = ({ messages }: RoutedBatch) => messages.map(({ id }) => id);

describe('a step after the stream rules', () => {
  test('drops messages; the batch still covers their records', () => {
    const drop: Change = (batch, index, message) => {
      if (message.message === 'noise') batch.drop(index);
    };
    const batch = run(drop, [app('blog'), app('mail', 'noise'), app('shop')]);
    expect(textsOf(batch)).toEqual(['blog', 'shop']);
    expect(streamsOf(batch)).toEqual([
      [ALL, 'blog'],
      [ALL, 'shop'],
    ]);
    expect(batch.targets.map(({ streamIds }) => streamIds)).toEqual(streamsOf(batch));
    expect([batch.firstOffset, batch.endOffset]).toEqual([40, 43]);
    const nothing = run((each, index) => each.drop(index), [app('blog'), app('mail')]);
    expect(nothing).toMatchObject({ firstOffset: 40, endOffset: 42, messages: [], targets: [] });
  });

  test('adds a message to streams, with their index sets and outputs', () => {
    const batch = run(
      (each, index) => {
        expect(each.addStream(index, 'shop')).toBe(true);
        expect(each.addStream(index, 'shop')).toBe(false);
        expect(each.addStream(index, 'unknown')).toBe(false);
      },
      [app('blog'), app('none')],
    );
    expect(batch.targets).toEqual([
      {
        streamIds: [ALL, 'blog', 'shop'],
        indexSetIds: ['blog-set', 'default-set', 'shop-set'],
        outputIds: ['o1'],
      },
      { streamIds: [ALL, 'shop'], indexSetIds: ['default-set', 'shop-set'], outputIds: ['o1'] },
    ]);
    expect(batch.messages[0]?.streams).toBe(batch.targets[0]?.streamIds);
  });

  test('removes a message from streams; without its last one it is back in the default stream', () => {
    const batch = run(
      (each, index) => {
        each.removeStream(index, ALL);
        each.removeStream(index, 'shop');
      },
      [app('shop'), app('blog'), app('none')],
    );
    expect(streamsOf(batch)).toEqual([[ALL], ['blog'], [ALL]]);
  });

  test('gives messages in the same streams the same target, whatever way they came there', () => {
    const batch = run(
      (each, index, message) => {
        if (message.message === 'by a step') each.addStream(index, 'blog');
      },
      [app('blog'), app('none', 'by a step')],
    );
    expect(batch.targets[1]).toBe(batch.targets[0]);
  });

  test('clones messages, with streams and fields of their own', () => {
    const batch = run(
      (each, index, message) => {
        if (message.message !== 'twice') return;
        const copy = each.clone(index);
        each.messages[copy]?.setField('copied', true);
        each.messages[copy]?.setField('app', 'changed');
        each.addStream(copy, 'mail');
      },
      [app('blog', 'twice'), app('shop')],
    );
    expect(textsOf(batch)).toEqual(['twice', 'twice', 'shop']);
    expect(streamsOf(batch)).toEqual([
      [ALL, 'blog'],
      [ALL, 'blog', 'mail'],
      [ALL, 'shop'],
    ]);
    expect(batch.messages.map((message) => message.getField('copied'))).toEqual([undefined, true, undefined]);
    expect(batch.messages.map((message) => message.getField('app'))).toEqual(['blog', 'changed', 'shop']);
    expect(new Set(idsOf(batch)).size).toBe(3);
  });

  test('creates messages, in the default stream and with the sender of the record', () => {
    const batch = run(
      (each, index) => {
        const created = each.create(index, { message: 'new', source: 'rule', level: 5, timestamp: 1000 });
        each.messages[created]?.setField('from', index);
      },
      [app('blog'), app('shop')],
    );
    expect(textsOf(batch)).toEqual(['blog', 'new', 'shop', 'new']);
    expect(streamsOf(batch)).toEqual([[ALL, 'blog'], [ALL], [ALL, 'shop'], [ALL]]);
    expect(batch.messages[3]).toMatchObject({ source: 'rule', level: 5, timestamp: 1000 });
    expect(batch.messages[3]?.origin).toBe(batch.messages[2]?.origin);
    expect(batch.messages[3]?.receivedAt).toBe(batch.messages[2]?.receivedAt);
  });

  test('never sees failures, which keep their place', () => {
    const seen: string[] = [];
    const batch = run(
      (each, index, message) => {
        seen.push(message.message);
        each.clone(index);
      },
      [app('blog'), { frame: '{broken' }, app('shop')],
    );
    expect(seen).toEqual(['blog', 'shop']);
    const { failureTarget } = { failureTarget: batch.targets[2] };
    expect(failureTarget).toMatchObject({ indexSetIds: ['failure-set'] });
    expect(textsOf(batch).map((text) => text.slice(0, 9))).toEqual([
      'blog',
      'blog',
      'A message',
      'shop',
      'shop',
    ]);
  });

  test('cannot make messages of one record without end', () => {
    const { processor, metrics } = processing({
      test: (batch) => {
        for (let index = 0; index < batch.messages.length; index++) batch.clone(index);
      },
    });
    const { messages } = processor.process(recordBatch([app('blog'), app('shop')]));
    expect(messages).toHaveLength(2 * MAX_MESSAGES_PER_RECORD);
    expect(new Set(messages.map(({ id }) => id)).size).toBe(messages.length);
    const count = (name: string) => metrics.get(`millrace.processing.messages.${name}`)?.metric;
    expect(count('added')).toMatchObject({ count: messages.length - 2 });
    expect(count('refused')).toMatchObject({ count: 2 });
  });

  test('what it drops and adds is counted, and so are the streams messages end up in', () => {
    const { processor, metrics } = processing({
      test: eachMessage((batch, index) => {
        if (index === 0) batch.drop(index);
        else batch.addStream(batch.clone(index), 'mail');
      }),
    });
    processor.process(recordBatch([app('blog'), app('shop')]));
    const metric = (name: string) => metrics.get(name)?.metric;
    expect(metric('millrace.processing.messages.dropped')).toMatchObject({ count: 1 });
    expect(metric('millrace.processing.messages.added')).toMatchObject({ count: 1 });
    const ofStream = (id: string) => metric(`org.graylog2.plugin.streams.Stream.${id}.incomingMessages`);
    expect(ofStream('blog')).toBeUndefined();
    expect(ofStream('shop')).toMatchObject({ rate: { total: 2 } });
    expect(ofStream('mail')).toMatchObject({ rate: { total: 1 } });
    expect(ofStream(ALL)).toMatchObject({ rate: { total: 2 } });
  });
});

describe('the order of message processors', () => {
  const seenBy = (seen: Record<string, string[]>, id: string): Step =>
    eachMessage((batch, index) => {
      seen[id] = [...(batch.targets[index]?.streamIds ?? [])];
    });
  const orderOf = (order: MessageProcessorOrder) => {
    const seen: Record<string, string[]> = {};
    const steps = { first: seenBy(seen, 'first'), second: seenBy(seen, 'second') };
    const batch = processing(steps, order).processor.process(recordBatch([app('shop')]));
    return { seen: Object.entries(seen), streams: streamsOf(batch)[0] };
  };

  test('is that of the snapshot: before stream rules a message is in the default stream only', () => {
    const order = ['second', STREAM_RULES_PROCESSOR, 'first'];
    expect(orderOf({ order, disabled: [] })).toEqual({
      seen: [
        ['second', [ALL]],
        ['first', [ALL, 'shop']],
      ],
      streams: [ALL, 'shop'],
    });
  });

  test('leaves out what is disabled; without stream rules everything stays in the default stream', () => {
    expect(orderOf({ order: [], disabled: [STREAM_RULES_PROCESSOR, 'first'] })).toEqual({
      seen: [['second', [ALL]]],
      streams: [ALL],
    });
  });

  test('ignores ids nobody has, and runs what is not named at the end', () => {
    const order = ['gone', 'first', 'first'];
    expect(orderOf({ order, disabled: [] }).seen).toEqual([
      ['first', [ALL]],
      ['second', [ALL, 'shop']],
    ]);
  });

  test('stream rules look at the fields that earlier steps have set, and keep the streams they have added', () => {
    const batch = run(
      (each, index, message) => {
        message.setField('app', 'shop');
        each.addStream(index, 'mail');
        each.removeStream(index, ALL);
      },
      [app('blog')],
      { order: ['test', STREAM_RULES_PROCESSOR], disabled: [] },
    );
    expect(streamsOf(batch)).toEqual([['mail', 'shop']]);
  });

  test('a dropped message does not reach the next step, a clone does', () => {
    const { processor } = processing({
      drop: eachMessage((batch, index, message) => {
        if (message.message === 'noise') batch.drop(index);
        else batch.clone(index);
      }),
      mark: eachMessage((_, index, message) => message.setField('marked', index)),
    });
    const { messages } = processor.process(recordBatch([app('shop', 'noise'), app('blog')]));
    expect(messages.map((message) => message.getField('marked'))).toEqual([0, 1]);
  });
});

describe('records that are read again', () => {
  /** What a record gives depends on the record alone, as steps must have it. */
  const change: Change = (batch, index, message) => {
    const times = Number(message.message);
    if (times === 1) batch.drop(index);
    for (let copy = 1; copy < times; copy++) {
      const content = { message: 'new', source: 's', level: 1, timestamp: copy };
      const added = copy % 2 === 0 ? batch.clone(index) : batch.create(index, content);
      if (copy === 3) batch.drop(added);
      if (copy === 2) batch.addStream(added, 'shop');
    }
  };
  const describeMessage = (message: Message) => [
    message.id,
    message.message,
    message.timestamp,
    message.streams,
  ];

  test('give the same messages with the same ids in the same order, however they are cut into batches', () => {
    const records = fc.array(fc.constantFrom('0', '1', '2', '5', '{broken'), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(
        records,
        fc.nat(1100),
        fc.infiniteStream(fc.integer({ min: 1, max: 7 })),
        (texts, first, sizes) => {
          const { processor } = processing({ test: eachMessage(change), again: eachMessage(change) });
          const frames = texts.map((text) => (text.startsWith('{') ? { frame: text } : app('blog', text)));
          const whole = processor.process(recordBatch(frames, first)).messages.map(describeMessage);
          const parts: unknown[] = [];
          for (let start = 0; start < frames.length; ) {
            const size = sizes.next().value;
            const part = recordBatch(frames.slice(start, start + size), first + start);
            parts.push(...processor.process(part).messages.map(describeMessage));
            start += size;
          }
          expect(parts).toEqual(whole);
          const ids = whole.map(([id]) => String(id));
          expect(new Set(ids).size).toBe(ids.length);
          const offsets = ids.map((id) => parseMessageId(id)?.offset ?? -1);
          expect(offsets).toEqual([...offsets].sort((left, right) => left - right));
        },
      ),
    );
  });
});
