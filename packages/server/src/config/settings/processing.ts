import { types } from '#core/index.ts';
import { derived, optional, withDefault } from '../setting.ts';
import { subnet } from '../value-types.ts';

export const processingSettings = {
  processing_workers: derived(
    types.integer({ min: 1, max: 256 }),
    'half of the cores, at most 16',
    'How many workers receive, process and store messages.',
    { example: '4' },
  ),
  output_files_dir: derived(
    types.filePath(),
    'output-files in data_dir',
    'The directory below which File outputs write. They cannot write anywhere else.',
  ),
  lookup_files_dir: derived(
    types.filePath(),
    'lookup-files in data_dir',
    'The directory below which data adapters of lookup tables read files. They cannot read anywhere else.',
  ),
  lookup_allowed_networks: optional(
    types.list(subnet()),
    'none',
    'Networks that are not public and that lookup tables may ask over HTTP nevertheless: comma separated addresses or subnets. Otherwise they may ask public addresses only, so that whoever configures a lookup table cannot reach your internal services.',
    { example: '10.1.0.0/16, 127.0.0.1' },
  ),
  stream_processing_timeout: withDefault(
    types.duration({ min: '1ms', max: '10m', bareUnit: 'ms' }),
    '2000',
    'How long the rules of one stream may work on one message. Without a unit in milliseconds.',
  ),
  stream_processing_max_faults: withDefault(
    types.integer({ min: 0, max: 1_000_000 }),
    '3',
    'How many of these timeouts a stream may have; one more disables it.',
  ),
  default_inputs: withDefault(
    types.boolean(),
    'true',
    'Create GELF inputs for UDP, TCP and HTTP at the first start.',
  ),
  default_inputs_bind_address: withDefault(
    types.host(),
    '127.0.0.1',
    'The address on which those inputs listen. 0.0.0.0 takes messages from other machines.',
    { example: '0.0.0.0' },
  ),
  default_input_udp_port: withDefault(types.port(), '12201', 'The port of the GELF UDP input.'),
  default_input_tcp_port: withDefault(types.port(), '12201', 'The port of the GELF TCP input.'),
  default_input_http_port: withDefault(types.port(), '12202', 'The port of the GELF HTTP input.'),
  udp_recvbuffer_sizes: withDefault(
    types.size({ min: '4kb', max: '1gb' }),
    '4mb',
    'The receive buffer of UDP sockets, for inputs that do not set their own. The kernel may allow less ' +
      '(net.core.rmem_max); the state of the input then says what it got.',
  ),
};
