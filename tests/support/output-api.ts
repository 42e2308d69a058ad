import { callApi } from './node-api.ts';

/** Outputs and streams of a node through its API. */

export const ALL_MESSAGES = '000000000000000000000001';

export async function createOutput(
  address: string,
  type: string,
  configuration: Record<string, unknown>,
): Promise<string> {
  const answer = await callApi(address, 'POST', '/system/outputs', {
    title: `a ${type}`,
    type,
    configuration,
  });
  if (answer.status !== 201) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body.id;
}

export async function attachOutputs(address: string, streamId: string, ...outputs: string[]): Promise<void> {
  const { status } = await callApi(address, 'POST', `/streams/${streamId}/outputs`, { outputs });
  if (status !== 202) throw new Error(`attaching was answered with ${status}`);
}

/** A stream of the messages that have this value in this field; it runs. */
export async function createStreamOf(address: string, field: string, value: string): Promise<string> {
  const created = await callApi(address, 'POST', '/streams', {
    title: `${field} is ${value}`,
    index_set_id: '000000000000000000000001',
    rules: [{ type: 1, field, value, inverted: false }],
  });
  const { status } = await callApi(address, 'POST', `/streams/${created.body.stream_id}/resume`);
  if (status !== 204) throw new Error(`resuming the stream was answered with ${status}`);
  return created.body.stream_id;
}

export async function outputState(address: string, outputId: string) {
  const { body } = await callApi(address, 'GET', '/system/outputs/states');
  return body.states.find(({ id }: { id: string }) => id === outputId);
}
