import { expect, test } from 'vitest';
import { compilePrograms } from './program.ts';

test('a rule that no longer compiles is left out and named with the reason', () => {
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
  expect(told).toEqual(['the rule "gone" is left out: line 4: There is no function hoist.']);
  expect(stage?.rules.map(({ actions }) => actions.length)).toEqual([0, 1]);
});
