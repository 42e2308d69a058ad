/** The built-in components keep the contracts that the test kit demands of plugins. */
import { NOTIFICATION_TYPES } from '#alerts/notifications/service.ts';
import { CONDITION_TYPES } from '#alerts/service.ts';
import { gelfCodec } from '#codecs/index.ts';
import {
  BUILT_IN,
  type ComponentType,
  type OpenComponentRegistry,
  type RawConfiguration,
} from '#core/index.ts';
import { INPUT_TYPES } from '#inputs/index.ts';
import { OUTPUT_TYPES } from '#outputs/index.ts';
import { RETENTION_STRATEGIES, ROTATION_STRATEGIES } from '#storage/service.ts';
import { codecSuite } from './codec.suite.ts';
import { componentSuite } from './component.suite.ts';
import { conditionSuite } from './condition.suite.ts';
import { retentionSuite, rotationSuite } from './strategy.suite.ts';

/** What some field takes, for types that cannot do with their defaults. */
const CANDIDATES: readonly unknown[] = [
  'https://logs.example.org/',
  'https://user:secret@hooks.example.org/1',
  'localhost',
  'localhost:9092',
  'example',
  'someone@example.org',
  ['localhost:9092'],
  ['example'],
  1,
  'count()>1',
  '0123456789abcdef0123456789abcdef',
  [{ id: 'count-', function: 'count' }],
];

/** A valid configuration: every field that is missing gets the first candidate without a problem. */
function exampleFor(type: Pick<ComponentType, 'id' | 'problemsOf'>): RawConfiguration {
  let configuration: Record<string, unknown> = {};
  for (const { path } of type.problemsOf({})) {
    const name = path.split(/[.[]/, 1)[0] ?? path;
    const value = CANDIDATES.find((candidate) => {
      const problems = type.problemsOf({ ...configuration, [name]: candidate });
      return !problems.some((problem) => problem.path.startsWith(name));
    });
    configuration = { ...configuration, [name]: value };
  }
  return configuration;
}

/** Without those that tests of plugins in the same process have registered. */
function builtIn<Type extends Pick<ComponentType, 'id'>>(registry: OpenComponentRegistry<Type>): Type[] {
  return registry.types.filter(({ id }) => registry.providerOf(id) === BUILT_IN);
}

for (const type of [...builtIn(INPUT_TYPES), ...builtIn(OUTPUT_TYPES), ...builtIn(NOTIFICATION_TYPES)]) {
  componentSuite(type, exampleFor(type));
}
for (const type of builtIn(CONDITION_TYPES)) {
  componentSuite(type, exampleFor(type));
  conditionSuite(type, exampleFor(type));
}
for (const type of builtIn(ROTATION_STRATEGIES)) {
  componentSuite(type, exampleFor(type));
  rotationSuite(type, exampleFor(type));
}
for (const type of builtIn(RETENTION_STRATEGIES)) {
  componentSuite(type, exampleFor(type));
  retentionSuite(type, exampleFor(type));
}
codecSuite({ codec: gelfCodec, frames: ['{"version":"1.1","host":"a","short_message":"hello"}'] });
