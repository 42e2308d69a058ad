import type { Repositories } from '#metadata/index.ts';

/** Calls of the repositories of pipelines, one for each function. */
export const GROK_PATTERN = { name: 'ORDER', pattern: '%{INT:order}' };
export const PIPELINE = { title: 'P', description: '', source: 'pipeline "P" end' };

interface Seeded {
  readonly pipelineId: string;
  readonly pipelineRuleId: string;
  readonly grokPatternId: string;
  readonly streamId: string;
}

type Sample = (repositories: Repositories, seeded: Seeded) => Promise<unknown>;

export const PIPELINE_SAMPLES: {
  readonly [Name in 'grokPatterns' | 'pipelineRules' | 'pipelines']: {
    readonly [F in keyof Repositories[Name]]: Sample;
  };
} = {
  grokPatterns: {
    seed: (r) => r.grokPatterns.seed([{ name: 'INT', pattern: '\\d+' }]),
    insert: (r) => r.grokPatterns.insert({ ...GROK_PATTERN, name: 'NEW' }),
    update: (r, { grokPatternId }) => r.grokPatterns.update(grokPatternId, GROK_PATTERN),
    remove: (r, { grokPatternId }) => r.grokPatterns.remove(grokPatternId),
    import: (r) => r.grokPatterns.import([GROK_PATTERN], { dropOthers: true }),
    find: (r, { grokPatternId }) => r.grokPatterns.find(grokPatternId),
    list: (r) => r.grokPatterns.list(),
  },
  pipelineRules: {
    insert: (r) => r.pipelineRules.insert({ ...PIPELINE, title: 'New' }),
    update: (r, { pipelineRuleId }) => r.pipelineRules.update(pipelineRuleId, PIPELINE),
    disable: (r, { pipelineRuleId }) => r.pipelineRules.disable(pipelineRuleId, 'slow'),
    remove: (r, { pipelineRuleId }) => r.pipelineRules.remove(pipelineRuleId),
    find: (r, { pipelineRuleId }) => r.pipelineRules.find(pipelineRuleId),
    list: (r) => r.pipelineRules.list(),
  },
  pipelines: {
    insert: (r) => r.pipelines.insert({ ...PIPELINE, title: 'New' }),
    update: (r, { pipelineId }) => r.pipelines.update(pipelineId, PIPELINE),
    remove: (r, { pipelineId }) => r.pipelines.remove(pipelineId),
    find: (r, { pipelineId }) => r.pipelines.find(pipelineId),
    list: (r) => r.pipelines.list(),
    connections: (r) => r.pipelines.connections(),
    connectStream: (r, { streamId, pipelineId }) => r.pipelines.connectStream(streamId, [pipelineId]),
    connectPipeline: (r, { streamId, pipelineId }) => r.pipelines.connectPipeline(pipelineId, [streamId]),
  },
};
