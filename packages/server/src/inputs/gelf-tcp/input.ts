import { gelfCodec } from '#codecs/index.ts';
import { defineInputType, type Input, type InputContext } from '../input.ts';
import { createInputMetrics } from '../input-metrics.ts';
import { tlsProblems } from '../net/fields.ts';
import { gelfTestFrame } from '../net/gelf-test.ts';
import { sendOnConnection } from '../net/send-test.ts';
import { createStreamInput } from '../net/stream-input.ts';
import { type GelfTcpConfig, gelfTcpFields } from './config.ts';
import { gelfTcpExamples } from './examples.ts';

const TYPE_ID = 'gelf-tcp';
const WIRE_TYPE = 'org.graylog2.inputs.gelf.tcp.GELFTCPInput';

export const gelfTcpInput = defineInputType({
  id: TYPE_ID,
  wireType: WIRE_TYPE,
  name: 'GELF TCP',
  description:
    'Takes GELF messages over TCP or TLS connections. Slows senders down instead of losing messages.',
  transport: 'tcp',
  codec: gelfCodec,
  fields: gelfTcpFields,
  examples: gelfTcpExamples,
  check: tlsProblems,
  create: createGelfTcpInput,
  sendTest: (listening, message, config) => {
    const delimiter = config.use_null_delimiter ? '\0' : '\n';
    return sendOnConnection(listening, `${gelfTestFrame(message)}${delimiter}`, config);
  },
});

function delimiterOf({ detect_delimiter: detects, use_null_delimiter: byNull }: GelfTcpConfig) {
  if (detects) return 'auto';
  return byNull ? 'null' : 'newline';
}

/** GELF messages on TCP or TLS connections. A null byte or, if so configured, a newline ends each. */
function createGelfTcpInput(context: InputContext, config: GelfTcpConfig): Input {
  const { inputId } = context;
  const metrics = createInputMetrics(context.metrics, { typeId: TYPE_ID, wireType: WIRE_TYPE, inputId });
  return createStreamInput(context, metrics, config, {
    framing: {
      delimiter: delimiterOf(config),
      maxFrameBytes: config.max_message_size,
    },
    idleTimeoutMs: config.idle_timeout,
    frameTimeoutMs: config.frame_timeout,
  });
}
