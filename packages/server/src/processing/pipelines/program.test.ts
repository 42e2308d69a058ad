import { expect, onTestFinished, test } from 'vitest';
import { FUNCTIONS, registerFunction } from '../rules/index.ts';
import { compilePrograms } from './program.ts';

/** The rules of the stage, and what was told. */
function compiled() {
  const rule = (name: string, then: string, faultSlot: number) => ({
    id: name,
    name,
    source: `rule "${name}"\nwhen true\nthen\n  ${then}\nend`,
    faultSlot,
  });
  const settings = {
    rules: [rule('gone', 'set_field("flag", hoist("blue"));', 0), rule('fine', 'drop_message();', 1)],
    pipelines: [
      { id: 'p', name: 'p', source: 'pipeline "p" stage 0 match either rule "gone" rule "fine" end' },
    ],
    connections: [{ streamId: 's', pipelineIds: ['p'] }],
    streamNames: [],
    inputNames: [],
  };
  const told: string[] = [];
  const [stage] = compilePrograms(settings, (text) => told.push(text)).programOf(['s']).stages;
  return { told, actions: stage?.rules.map(({ actions }) => actions.length) };
}

test('a rule that no longer compiles is left out and named with the reason', () => {
  expect(compiled()).toEqual({
    told: ['the rule "gone" is left out: line 4: There is no function hoist.'],
    actions: [0, 1],
  });
});

test('a rule whose compilation fails is left out, and nothing else', () => {
  const lowercase = FUNCTIONS.get('lowercase');
  if (lowercase === undefined) throw new Error('there is no lowercase()');
  const compile = () => {
    throw new Error('too deep');
  };
  onTestFinished(registerFunction({ ...lowercase, name: 'hoist', compile }));
  expect(compiled()).toEqual({ told: ['the rule "gone" is left out: too deep'], actions: [0, 1] });
});
