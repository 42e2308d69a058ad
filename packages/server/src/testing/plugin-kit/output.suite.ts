import { describe, expect, test } from 'vitest';
import { InvalidConfiguration, type RawConfiguration, systemClock } from '#core/index.ts';
import type { OutgoingMessage, Output, OutputPlan, OutputType } from '#outputs/index.ts';
import { createLogger } from '#telemetry/index.ts';
import { eventually } from '../eventually.ts';
import { aMessage } from '../message-fixture.ts';
import { anOutgoing } from '../outgoing-message.ts';

/** Where an output sends to in a test. */
export interface TestDestination {
  /** For the output. */
  readonly configuration: RawConfiguration;
  /** Everything that arrived so far, as text. */
  received(): string | Promise<string>;
  /** Below which the output may write files; none unless given. */
  readonly filesDirectory?: string;
  /** From now on nobody is there. Left out by outputs that cannot lose their destination. */
  goAway?(): void | Promise<void>;
  close(): void | Promise<void>;
}

export interface OutputUnderTest {
  readonly type: OutputType;
  open(): Promise<TestDestination>;
}

const NEVER = new AbortController().signal;
const TEXTS = ['first', 'second', 'third "quoted"\nline', 'fourth \u{1f40d}'];

/** What `Output` demands of every type of output. */
export function outputSuite({ type, open }: OutputUnderTest): void {
  describe(`${type.id} keeps the contract of outputs`, () => {
    async function withOutput(
      work: (output: Output, messages: OutgoingMessage[], destination: TestDestination) => Promise<void>,
    ): Promise<void> {
      const destination = await open();
      const plan = valid(type.plan(destination.configuration));
      const logger = createLogger({ level: 'fatal', pretty: false });
      const context = {
        outputId: '65a1b2c3d4e5f60718293a4b',
        partition: 0,
        clock: systemClock,
        logger,
        lost: () => {},
        filesDirectory: destination.filesDirectory ?? '',
      };
      const output = valid(type.create(context, destination.configuration));
      try {
        await work(output, encoded(plan), destination);
      } finally {
        await output.close(AbortSignal.timeout(2000));
        await destination.close();
      }
    }

    test('the destination gets every message, also in another batch', async () => {
      await withOutput(async (output, messages, destination) => {
        await output.connect?.(NEVER);
        await output.send(messages.slice(0, 1), NEVER);
        await output.send(messages.slice(1), NEVER);
        await eventually(async () => {
          const text = await destination.received();
          for (const word of ['first', 'second', 'third', 'fourth']) expect(text).toContain(word);
        });
      });
    });

    test('it says that the destination is away, and can be closed then, and twice', async () => {
      await withOutput(async (output, messages, destination) => {
        if (destination.goAway === undefined) return;
        await destination.goAway();
        const attempt = async () => {
          await output.connect?.(NEVER);
          await output.send(messages, NEVER);
        };
        await expect(attempt()).rejects.toBeInstanceOf(Error);
        await output.close(AbortSignal.timeout(2000));
      });
    });

    test('it keeps no reference to the messages it has sent', async () => {
      await withOutput(async (output, messages, destination) => {
        await output.connect?.(NEVER);
        await output.send(messages, NEVER);
        for (const { payload } of messages) payload.fill(0);
        await eventually(async () => expect(await destination.received()).toContain('second'));
      });
    });
  });
}

function encoded({ encoding }: OutputPlan): OutgoingMessage[] {
  const encoder = encoding.create();
  return TEXTS.map((text, at) => {
    const message = Object.assign(aMessage({ message: text }), { id: `01hxf0000000000000000000a${at}` });
    return anOutgoing(encoder.encode(message), message);
  });
}

function valid<Value>(value: Value | InvalidConfiguration): Value {
  if (value instanceof InvalidConfiguration) throw new Error(value.text);
  return value;
}
