import { types } from '#core/index.ts';
import { derived, optional, withDefault } from '../setting.ts';
import { allowedPlugin, packageName } from '../value-types.ts';

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
  plugin_dir: derived(
    types.filePath(),
    'plugins in data_dir',
    'Every folder in it is a plugin and is loaded at the start. Plugins run with all rights of the node.',
  ),
  plugins: optional(
    types.list(packageName()),
    'only the folders in plugin_dir',
    'Plugins that are npm packages, comma separated names. They are looked for in node_modules of plugin_dir, then in that of Millrace.',
    { example: 'millrace-plugin-example, @example/millrace-output' },
  ),
  plugins_allowed: optional(
    types.list(allowedPlugin()),
    'all plugins are loaded',
    'The only plugins that may be loaded: names, each with the hash of its files if these may not change (npm run plugin -- hash FOLDER).',
    { example: `my-output=sha256:${'0123456789abcdef'.repeat(4)}` },
  ),
  plugin_call_timeout: withDefault(
    types.duration({ min: '10ms', max: '10m', bareUnit: 'ms' }),
    '2000',
    'How long a call into a plugin may block its thread. A worker that a plugin blocks for longer is ended and started again. Without a unit in milliseconds.',
  ),
  plugin_max_faults: withDefault(
    types.integer({ min: 0, max: 1_000_000 }),
    '3',
    'How many faults (errors, calls that take too long) a plugin may have; one more switches it off.',
  ),
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
