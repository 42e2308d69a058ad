/**
 * The test kit of plugins, as `@millrace/plugin-api/testing`. It registers the components of a plugin as a node does, and
 * runs them against the suites that the built-in components keep, too (`built-in.test.ts`).
 */
import { afterAll, describe, expect, test } from 'vitest';
import { NOTIFICATION_TYPES } from '#alerts/notifications/service.ts';
import { CONDITION_TYPES } from '#alerts/service.ts';
import { CODECS } from '#codecs/index.ts';
import { createFaultLedger, type RawConfiguration } from '#core/index.ts';
import { INPUT_TYPES } from '#inputs/index.ts';
import { OUTPUT_TYPES } from '#outputs/index.ts';
import type { Plugin, PluginKind } from '#plugins/api.ts';
import { FUNCTIONS } from '#processing/rules/index.ts';
import { RETENTION_STRATEGIES, ROTATION_STRATEGIES } from '#storage/service.ts';
import { type PluginRuleTest, type PluginRuleType, pluginRuleTypes } from '#streams/index.ts';
import { type InputUnderTest, inputSuite as suiteOfInputs } from '../../inputs/input.suite.ts';
import type { PluginFault } from '../../plugins/fault.ts';
import { createPluginGuards } from '../../plugins/guard.ts';
import { type LoadedComponent, registerPlugin } from '../../plugins/loading/load.ts';
import { MAIN_THREAD_SEAMS } from '../../plugins/loading/main-thread-seams.ts';
import { undoableSeams } from '../undoable-seams.ts';
import { type CodecUnderTest, codecSuite as suiteOfCodecs } from './codec.suite.ts';
import { componentSuite } from './component.suite.ts';
import { conditionSuite } from './condition.suite.ts';
import { functionSuite } from './function.suite.ts';
import {
  type NotificationUnderTest,
  notificationSuite as suiteOfNotifications,
  type TestReceiver,
} from './notification.suite.ts';
import { type OutputUnderTest, outputSuite as suiteOfOutputs, type TestDestination } from './output.suite.ts';
import { retentionSuite, rotationSuite } from './strategy.suite.ts';
import { streamRuleSuite } from './stream-rule.suite.ts';

export { startHttpReceiver } from '../http-receiver.ts';
export type { TestDestination, TestReceiver };

/** A plugin whose components are registered beside the built-in ones, each call guarded as in a node. */
export interface TestedPlugin {
  /** Everything its components did wrong so far. */
  readonly faults: readonly PluginFault[];
  readonly components: readonly LoadedComponent[];
  outputSuite(id: string, open: OutputUnderTest['open']): void;
  notificationSuite(id: string, open: NotificationUnderTest['open']): void;
  codecSuite(id: string, frames: CodecUnderTest['frames']): void;
  /** The test of a rule with this value. Throws what the person who wrote the rule would see. */
  streamRule(id: string, value: string): PluginRuleTest;
  inputSuite(id: string, subject: Omit<InputUnderTest, 'type' | 'inputType' | 'label'>): void;
}

/**
 * Registers a plugin and runs the suites of all its components.
 *
 * @param configurations a valid configuration for each component, by its id; without one the defaults must do
 */
export function testPlugin(
  plugin: Plugin,
  configurations: Readonly<Record<string, RawConfiguration>> = {},
): TestedPlugin {
  const faults: PluginFault[] = [];
  const ledger = createFaultLedger();
  const name = 'plugin-under-test';
  const guards = createPluginGuards((fault) => faults.push(fault), {
    memory: { faults: ledger.memory, calls: new SharedArrayBuffer(8) },
    slots: new Map([[name, ledger.slotOf(name)]]),
    worker: undefined,
    limitMs: 2000,
    maxFaults: Number.MAX_SAFE_INTEGER,
  });
  const { seams, undo } = undoableSeams(MAIN_THREAD_SEAMS);
  const components = registerPlugin(plugin, seams, guards.of(name));
  afterAll(undo);
  for (const { kind, id } of components) SUITES[kind](id, configurations[id] ?? {});
  describe('the plugin', () => {
    test('has done nothing wrong', () => expect(faults).toEqual([]));
  });
  return {
    faults,
    components,
    outputSuite: (id, open) => suiteOfOutputs({ type: found(OUTPUT_TYPES, id), open }),
    notificationSuite: (id, open) => suiteOfNotifications({ type: found(NOTIFICATION_TYPES, id), open }),
    codecSuite: (id, frames) =>
      suiteOfCodecs({ codec: found(CODECS, id), configuration: configurations[id] ?? {}, frames }),
    streamRule: (id, value) => foundRuleType(id).compile(value),
    inputSuite: (id, subject) => suiteOfInputs({ ...subject, type: id }),
  };
}

const SUITES: Readonly<Record<PluginKind, (id: string, configuration: RawConfiguration) => void>> = {
  codec: (id, configuration) => componentSuite(found(CODECS, id), configuration),
  input: (id, configuration) => componentSuite(found(INPUT_TYPES, id), configuration),
  output: (id, configuration) => componentSuite(found(OUTPUT_TYPES, id), configuration),
  notification: (id, configuration) => componentSuite(found(NOTIFICATION_TYPES, id), configuration),
  condition(id, configuration) {
    componentSuite(found(CONDITION_TYPES, id), configuration);
    conditionSuite(found(CONDITION_TYPES, id), configuration);
  },
  rotation(id, configuration) {
    componentSuite(found(ROTATION_STRATEGIES, id), configuration);
    rotationSuite(found(ROTATION_STRATEGIES, id), configuration);
  },
  'stream-rule': (id, configuration) => streamRuleSuite(foundRuleType(id), configuration),
  function: (id) => functionSuite(found({ find: (name) => FUNCTIONS.get(name) }, id)),
  retention(id, configuration) {
    componentSuite(found(RETENTION_STRATEGIES, id), configuration);
    retentionSuite(found(RETENTION_STRATEGIES, id), configuration);
  },
};

function foundRuleType(id: string): PluginRuleType {
  return found({ find: (name) => pluginRuleTypes().find((type) => type.name === name) }, id);
}

function found<Type>(registry: { find(name: string): Type | undefined }, id: string): Type {
  const type = registry.find(id);
  if (type === undefined) throw new Error(`the plugin has no component ${JSON.stringify(id)} of that kind`);
  return type;
}
