import { types } from '#core/index.ts';
import { derived, optional, withDefault } from '../setting.ts';

export const nodeSettings = {
  config_file: optional(
    types.filePath(),
    'millrace.conf in the working directory, if there is one',
    'The configuration file. If it is named, it must exist.',
    { flag: 'config', notInFile: true, example: '/etc/millrace/millrace.conf' },
  ),
  data_dir: withDefault(
    types.filePath(),
    './data',
    'Everything the node writes is below this directory. It is created if its parent exists.',
    { example: '/var/lib/millrace' },
  ),
  node_id_file: derived(
    types.filePath(),
    'node_id in data_dir',
    'The file with the id of this node, a UUID. It is written at the first start and must never change.',
  ),
  plugin_dir: derived(types.filePath(), 'plugins in data_dir', 'Where plugins are looked for.', {
    notInUseYet: 'plugins',
  }),
  log_level: withDefault(
    types.oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal']),
    'info',
    'The lowest level that is logged.',
  ),
  log_format: withDefault(
    types.oneOf(['auto', 'pretty', 'json']),
    'auto',
    'How log lines look: readable, or one JSON object a line. auto is readable on a terminal and JSON elsewhere.',
  ),
  shutdown_timeout: withDefault(
    types.duration({ min: '1s', max: '10m', bareUnit: 'ms' }),
    '10s',
    'How long a stop may take before the process exits anyway. Nothing acknowledged is lost either way. Without a unit in milliseconds.',
  ),
};
