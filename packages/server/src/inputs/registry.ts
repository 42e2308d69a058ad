import { createComponentRegistry } from '#core/index.ts';
import { gelfHttpInput } from './gelf-http/input.ts';
import { gelfTcpInput } from './gelf-tcp/input.ts';
import { gelfUdpInput } from './gelf-udp/input.ts';

/** Every input type there is. A new one is its folder and a line here. */
export const INPUT_TYPES = createComponentRegistry('input', [gelfUdpInput, gelfTcpInput, gelfHttpInput]);
