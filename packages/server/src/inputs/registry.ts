import { gelfHttpInput } from './gelf-http/input.ts';
import { gelfTcpInput } from './gelf-tcp/input.ts';
import { gelfUdpInput } from './gelf-udp/input.ts';
import type { InputType } from './input.ts';

/** Every input type there is. A new one is its folder and a line here. */
export const INPUT_TYPES: readonly InputType[] = [gelfUdpInput, gelfTcpInput, gelfHttpInput];

/** By its name in the API or by its short id. */
export function findInputType(
  type: string,
  types: readonly InputType[] = INPUT_TYPES,
): InputType | undefined {
  return types.find(({ wireType, id }) => wireType === type || id === type);
}
