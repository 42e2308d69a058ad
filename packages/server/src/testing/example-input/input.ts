import { defineInputType, type Input, type InputContext } from '../../inputs/input.ts';
import { createInputMetrics } from '../../inputs/input-metrics.ts';
import { tlsProblems } from '../../inputs/net/fields.ts';
import { createStreamInput } from '../../inputs/net/stream-input.ts';
import { pairsCodec } from './codec.ts';
import { type PairsTcpConfig, pairsTcpFields } from './config.ts';

const TYPE_ID = 'pairs-tcp';
const WIRE_TYPE = 'org.example.PairsTcpInput';

export const pairsTcpInput = defineInputType({
  id: TYPE_ID,
  wireType: WIRE_TYPE,
  name: 'Pairs TCP',
  description: 'Takes lines of text with fields in them from TCP connections.',
  transport: 'tcp',
  codec: pairsCodec,
  fields: pairsTcpFields,
  check: tlsProblems,
  create: createPairsTcpInput,
});

function createPairsTcpInput(context: InputContext, config: PairsTcpConfig): Input {
  const { inputId } = context;
  const metrics = createInputMetrics(context.metrics, { typeId: TYPE_ID, wireType: WIRE_TYPE, inputId });
  return createStreamInput(context, metrics, config, {
    framing: { delimiter: 'newline', maxFrameBytes: 64 * 1024 },
    idleTimeoutMs: 0,
    frameTimeoutMs: 0,
  });
}
