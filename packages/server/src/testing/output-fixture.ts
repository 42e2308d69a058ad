import {
  type Clock,
  InvalidConfiguration,
  type Message,
  messageIdText,
  type RawConfiguration,
  systemClock,
} from '#core/index.ts';
import { OUTPUT_TYPES, type OutgoingMessage, type Output, type OutputPlan } from '#outputs/index.ts';
import { createLogger } from '#telemetry/index.ts';
import { aMessage } from './message-fixture.ts';
import { anOutgoing } from './outgoing-message.ts';

export interface OutputFixture {
  readonly output: Output;
  readonly plan: OutputPlan;
  /** Reasons for which the connection was lost. */
  readonly lost: string[];
  /** Sends messages as delivery does. */
  send(...messages: Message[]): Promise<void>;
  encode(messages: readonly Message[]): OutgoingMessage[];
}

export const OUTPUT_ID = '68a1b2c3d4e5f60718293a4c';

/** Problems of a configuration, each as `path message`. */
export function outputProblems(type: string, configuration: RawConfiguration): string[] {
  const problems = OUTPUT_TYPES.find(type)?.problemsOf(configuration) ?? [];
  return problems.map(({ path, message }) => `${path} ${message}`);
}

/** An output of a type with its encoding, without queue and delivery. */
export function anOutput(
  type: string,
  configuration: RawConfiguration,
  context: { readonly filesDirectory?: string; readonly clock?: Clock; readonly outputId?: string } = {},
): OutputFixture {
  const found = OUTPUT_TYPES.find(type);
  if (found === undefined) throw new Error(`there is no output type ${type}`);
  const lost: string[] = [];
  const output = found.create(
    {
      outputId: OUTPUT_ID,
      partition: 0,
      filesDirectory: '',
      clock: systemClock,
      logger: createLogger({ level: 'silent', stream: { write: () => {} } }),
      lost: (reason) => void lost.push(reason),
      ...context,
    },
    configuration,
  );
  const plan = found.plan(configuration);
  if (output instanceof InvalidConfiguration) throw new Error(output.text);
  if (plan instanceof InvalidConfiguration) throw new Error(plan.text);
  const encoder = plan.encoding.create();
  const encode = (messages: readonly Message[]): OutgoingMessage[] =>
    messages.map((message) => anOutgoing(encoder.encode(message), message));
  return {
    output,
    plan,
    lost,
    encode,
    send: (...messages) => output.send(encode(messages), new AbortController().signal),
  };
}

/** A message with an id, as messages in queues have. */
export function anIdentified(number: number, fields: Parameters<typeof aMessage>[0] = {}): Message {
  const message = aMessage({ message: `message ${number}`, ...fields });
  message.id = messageIdText({ receivedAt: message.receivedAt, partition: 0, offset: number });
  return message;
}
