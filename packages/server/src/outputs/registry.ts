import { createComponentRegistry } from '#core/index.ts';
import { gelfOutput } from './gelf/output.ts';
import type { OutputType } from './output.ts';
import { stdoutOutput } from './stdout/output.ts';

/** Every output type there is. A new one is its folder and a line here. */
export const OUTPUT_TYPES = createComponentRegistry<OutputType>('output', [gelfOutput, stdoutOutput]);
