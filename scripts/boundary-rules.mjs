/**
 * Who may import whom. The order of the server's folders is the way of a message; a folder that is not
 * listed for another may not be imported by it. Longest matching folder wins, so `storage/embedded` has a
 * line of its own. There is no list of exceptions.
 */
export const SERVER_FOLDERS = {
  core: [],
  config: ['core'],
  telemetry: ['core'],
  'codecs/framing': ['core'],
  'codecs/format': ['core', 'codecs/framing'],
  codecs: ['core', 'codecs/framing', 'codecs/format'],
  inputs: ['core', 'telemetry', 'codecs'],
  journal: ['core', 'telemetry'],
  'processing/framework': ['core', 'telemetry'],
  'processing/rules': ['core'],
  'processing/streams': ['core'],
  'processing/steps': [
    'core',
    'telemetry',
    'processing/framework',
    'codecs',
    'processing/rules',
    'processing/streams',
  ],
  processing: [
    'core',
    'telemetry',
    'processing/framework',
    'processing/rules',
    'processing/steps',
    'processing/streams',
  ],
  'storage/clickhouse': ['core', 'telemetry'],
  'storage/embedded': ['core', 'telemetry', 'config', 'storage/clickhouse'],
  storage: ['core', 'telemetry', 'storage/clickhouse', 'storage/embedded'],
  outputs: ['core', 'telemetry', 'codecs'],
  search: ['core', 'telemetry', 'storage'],
  alerts: ['core', 'telemetry', 'search'],
  metadata: ['core', 'telemetry'],
  auth: ['core', 'metadata', 'telemetry'],
  cluster: ['core', 'telemetry', 'metadata'],
  api: ['core', 'auth', 'telemetry'],
};

/** Only the `service.ts` of these may also import `metadata` and `cluster`: the message path never does. */
export const METADATA_THROUGH_SERVICE = ['inputs', 'processing', 'storage', 'outputs', 'search', 'alerts'];

/** The API may import the `service.ts` of any domain folder, and nothing else of it. */
export const SERVICE_CONSUMERS = ['api'];

export const WEB_FOLDERS = {
  lib: [],
  components: ['lib'],
  features: ['components', 'lib'],
  app: ['features', 'components', 'lib'],
};

export const LIMITS = { fileLines: 500, functionLines: 80, componentLines: 150 };

/** What only one place may touch, found as member expressions such as `process.env`. */
export const RESERVED = [
  {
    expression: 'process.env',
    allowed: ['config/', 'testing/', 'main.ts'],
    why: 'only config/ reads the environment',
  },
  { expression: 'process.exit', allowed: ['main.ts'], why: 'only main.ts ends the process' },
  { expression: 'Date.now', allowed: ['core/clock.ts', 'testing/'], why: 'take a Clock' },
];
