/**
 * Follows docs/how-to/add-an-input.md step by step, with a codec and an input that are added exactly as real ones are.
 * The only difference: the registries are extended here instead of in their files.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CODECS, createDecoder } from '#codecs/index.ts';
import {
  type ComponentRegistry,
  createComponentRegistry,
  createDroppedFields,
  createFieldLayouts,
  monotonicClock,
  type RoutedBatch,
} from '#core/index.ts';
import { createInputHost, INPUT_TYPES, type InputHost } from '#inputs/index.ts';
import { createProcessor } from '#processing/index.ts';
import { inputSuite } from '../../inputs/input.suite.ts';
import { sendStream } from '../gelf-senders.ts';
import { createIntakeFixture, type IntakeFixture } from '../intake-fixture.ts';
import { FIXTURE_SOURCE } from '../message-fixture.ts';
import { processingSnapshot } from '../processing-snapshot.ts';
import { pairsCodec } from './codec.ts';
import { pairsTcpInput } from './input.ts';

// Step 1: the codec, `codec.ts`, and its line in `codecs/registry.ts`.
const codecs = createComponentRegistry('codec', [...CODECS.types, pairsCodec]);

// Steps 2 and 3: the fields, `config.ts`, and the input, `input.ts`, with its line in `inputs/registry.ts`.
const types = createComponentRegistry('input', [...INPUT_TYPES.types, pairsTcpInput]);

// Step 4: the contract that every input keeps.
inputSuite({
  type: 'pairs-tcp',
  inputType: pairsTcpInput,
  transport: 'tcp',
  whenFull: 'waits',
  send: (port, messages) => sendStream(port, Buffer.from(messages.map((each) => `${each}\n`).join(''))),
  sendGarbage: (port, garbage) => sendStream(port, garbage),
});

// Step 5: the tests of what is its own.
test('the codec finds text and fields', () => {
  const decoder = createDecoder(pairsCodec, { layouts: createFieldLayouts() }, { pair_separator: ':' });
  const decode = (text: string) => decoder.decode(Buffer.from(text), FIXTURE_SOURCE, 1000);
  expect(decode('signed in user:ada')).toMatchObject({ message: 'signed in', timestamp: 1000 });
  expect(decode('user:ada')).toMatchObject({ reason: 'no_text' });
});

// Step 6: the whole path, from the socket to the message.
let fixture: IntakeFixture;
let host: InputHost;

beforeEach(async () => {
  fixture = await createIntakeFixture();
  const { inputId: _, failed: __, ...context } = fixture.context();
  host = createInputHost({
    ...context,
    types,
    droppedFields: createDroppedFields(),
    report: () => undefined,
  });
});

afterEach(async () => {
  await host.stop();
  await fixture.close();
});

const configuration = { bind_address: '127.0.0.1', port: 0, pair_separator: ':' };

async function journaled(line: string): Promise<void> {
  await host.apply([{ id: 'pairs-1', type: 'pairs-tcp', configuration, started: true }]);
  await sendStream(host.statuses()[0]?.port ?? 0, Buffer.from(`${line}\n`));
  await fixture.journal.reader.whenReadable();
}

function processed(known: ComponentRegistry<typeof pairsCodec>, withInput: boolean): RoutedBatch {
  const processor = createProcessor(
    { metrics: fixture.metrics, monotonic: monotonicClock, codecs: known, faulted: () => undefined },
    { partition: 'node-1/0' },
  );
  const input = { id: 'pairs-1', staticFields: { site: 'north' }, overrideSource: undefined, configuration };
  processor.useSnapshot(processingSnapshot({ inputs: withInput ? [input] : [] }));
  const records = fixture.journal.reader.read();
  if (records === undefined) throw new Error('the journal has no records');
  return processor.process(records);
}

test('bytes become a message, with the settings of the input', async () => {
  await journaled('signed in user:ada');
  const [message] = processed(codecs, true).messages;
  expect(message).toMatchObject({
    message: 'signed in',
    source: '127.0.0.1',
    origin: { inputId: 'pairs-1' },
  });
  expect(message?.getField('user')).toBe('ada');
  expect(message?.getField('site')).toBe('north');
});

test('a backlog outlives its input: without it, the settings of the codec are its defaults', async () => {
  await journaled('signed in user=ada');
  await host.apply([]);
  const [message] = processed(codecs, false).messages;
  expect(message?.getField('user')).toBe('ada');
});

test('a version without the codec makes a failure of each record and names the codec', async () => {
  await journaled('signed in user:ada');
  const [failure] = processed(CODECS, true).messages;
  expect(failure?.getField('failure_details')).toContain('its codec has the number 250');
  expect(Buffer.from(String(failure?.getField('failed_message_base64')), 'base64').toString()).toBe(
    'signed in user:ada',
  );
});

test('the settings of the codec are fields of the input', () => {
  expect(pairsTcpInput.fields).toHaveProperty('pair_separator');
  expect(pairsTcpInput.complete(configuration)).toMatchObject({ pair_separator: ':' });
});
