import { formatTimestamp, type PipelineRuleView, type PipelineView } from '@millrace/contract';
import type { Pipeline } from '@millrace/rules';
import { revisionOf } from '#core/index.ts';
import type { PipelineProperties, PipelineRecord, PipelineRuleRecord } from '#metadata/index.ts';
import type { RuleKnowledge } from '../rules/index.ts';
import { readPipeline, ruleErrors } from './sources.ts';

/** Without the pipelines that use it: who may see these depends on the reader. */
export function ruleView(rule: PipelineRuleRecord, known: RuleKnowledge): PipelineRuleView {
  return {
    ...storedView(rule),
    errors: ruleErrors(rule.source, known),
    disabled_reason: rule.disabledReason,
    used_in_pipelines: [],
  };
}

export function pipelineView(pipeline: PipelineRecord): PipelineView {
  const { pipeline: parsed, errors } = readPipeline(pipeline.source);
  return { ...storedView(pipeline), errors, stages: stagesOf(parsed) };
}

/** What was only parsed. */
export function parsedRuleView(rule: PipelineProperties): PipelineRuleView {
  return { ...unstored(rule), errors: null, disabled_reason: null, used_in_pipelines: [] };
}

export function parsedPipelineView(properties: PipelineProperties, pipeline: Pipeline): PipelineView {
  return { ...unstored(properties), errors: null, stages: stagesOf(pipeline) };
}

function unstored({ title, description, source }: PipelineProperties) {
  return { id: null, title, description, source, created_at: null, modified_at: null, revision: null };
}

/** Of what people edit. */
export function sourceRevision({ description, source }: PipelineProperties): string {
  return revisionOf([description, source]);
}

function storedView(record: PipelineRecord) {
  const { id, title, description, source, createdAt, updatedAt } = record;
  return {
    id,
    title,
    description,
    source,
    created_at: formatTimestamp(createdAt),
    modified_at: formatTimestamp(updatedAt),
    revision: sourceRevision(record),
  };
}

function stagesOf(pipeline: Pipeline | undefined): PipelineView['stages'] {
  return (pipeline?.stages ?? []).map(({ number, match, rules }) => ({
    stage: number,
    match: match === 'all' ? 'ALL' : match === 'either' ? 'EITHER' : 'PASS',
    match_all: match === 'all',
    rules: rules.map(({ name }) => name),
  }));
}
