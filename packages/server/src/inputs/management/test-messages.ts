import {
  type Caller,
  type Clock,
  type ComponentSecrets,
  InvalidError,
  newEntityId,
  StateConflictError,
} from '#core/index.ts';
import type { InputRecord } from '#metadata/index.ts';
import type { InputType, TestMessage } from '../input.ts';
import type { NodeInputs } from './node-inputs.ts';

/** The field by which a test message is found again. */
const TEST_FIELD = 'test_message_id';

export interface TestMessageDeps {
  readonly nodeInputs: Pick<NodeInputs, 'state'>;
  readonly findType: (type: string) => InputType | undefined;
  readonly secrets: ComponentSecrets;
  readonly clock: Clock;
}

/** Sends a message to an input of this node through its socket. Resolves with the query that finds the message. */
export async function sendTestMessage(
  deps: TestMessageDeps,
  input: InputRecord,
  { principal }: Caller,
): Promise<string> {
  const type = deps.findType(input.type);
  if (type?.sendTest === undefined) {
    throw new InvalidError(
      `Inputs of the type "${input.type}" get no test messages from here. Send one from one of your senders.`,
    );
  }
  const state = deps.nodeInputs.state(input.id);
  if (state?.state !== 'RUNNING' || state.listening === undefined) {
    const why = state?.detailedMessage === undefined ? '' : ` ${state.detailedMessage}`;
    throw new StateConflictError(
      `The input "${input.title}" is not running on this node (${state?.state ?? 'unknown'}), so nothing can be sent to it.${why}`,
    );
  }
  const id = newEntityId(deps.clock.now());
  const message: TestMessage = {
    source: 'millrace',
    text: `Hello from Millrace: a test message for the input ${input.title}, sent by ${principal.username}`,
    fields: { [TEST_FIELD]: id },
  };
  const { configuration } = deps.secrets.decrypt(input.id, type.fields, input.configuration);
  await type.sendTest(state.listening, message, configuration);
  return `${TEST_FIELD}:"${id}"`;
}
