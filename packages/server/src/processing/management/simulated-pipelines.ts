/** Which pipelines a simulation runs. */
import type { SimulateRequest } from '@millrace/contract';
import { ForbiddenError, InvalidError, NotFoundError, type Principal } from '#core/index.ts';
import type { PipelineSettings, SnapshotRule } from '#streams/index.ts';
import { grokPatternsOf } from '../rules/index.ts';
import { requirePipeline, requireRule } from './sources.ts';

/** Only one of the first four may be given. */
export type WhatRuns = Pick<
  SimulateRequest,
  'rule_id' | 'rule_source' | 'pipeline_id' | 'pipeline_source' | 'with_rules'
>;

/** Stands for a source that is not stored. */
const UNSAVED = 'unsaved';

/**
 * `settings` with what the request runs, connected to `streamIds`; without rule and pipeline the connected ones run.
 * Throws `PipelineSourceError`, `NotFoundError`, and `ForbiddenError` for what the reader may not read or write.
 */
export function pipelinesToRun(
  reader: Pick<Principal, 'can'>,
  settings: PipelineSettings,
  what: WhatRuns,
  streamIds: readonly string[],
): PipelineSettings {
  requireAllowed(reader, what);
  const replaced = withRules(settings, what.with_rules);
  const only = onlyPipeline(replaced, what);
  if (only === undefined) return replaced;
  return {
    ...only.settings,
    pipelines: [{ id: UNSAVED, name: only.name, source: only.source }],
    connections: streamIds.map((streamId) => ({ streamId, pipelineIds: [UNSAVED] })),
  };
}

function givenOf({ rule_id, rule_source, pipeline_id, pipeline_source }: WhatRuns) {
  const all = { rule_id, rule_source, pipeline_id, pipeline_source };
  return Object.entries(all).filter(([, value]) => value !== undefined);
}

function requireAllowed(reader: Pick<Principal, 'can'>, what: WhatRuns): void {
  const given = givenOf(what).map(([name]) => name);
  if (given.length > 1) throw new InvalidError(`Give only one of ${given.join(' and ')}.`);
  const { rule_id, pipeline_id } = what;
  const mayRead = (kind: string, id: string) => reader.can(`${kind}:read`, id);
  const mayWrite = (kind: string) => reader.can(`${kind}:create`) || reader.can(`${kind}:edit`);
  if (rule_id !== undefined && !mayRead('pipeline_rule', rule_id))
    throw new ForbiddenError(`Not authorized to access rule ${rule_id}`, {
      needs: `pipeline_rule:read:${rule_id}`,
    });
  if (pipeline_id !== undefined && !mayRead('pipeline', pipeline_id))
    throw new ForbiddenError(`Not authorized to access pipeline ${pipeline_id}`, {
      needs: `pipeline:read:${pipeline_id}`,
    });
  if ((what.rule_source !== undefined || what.with_rules.length > 0) && !mayWrite('pipeline_rule'))
    throw new ForbiddenError(needs('pipeline_rule'), { needs: 'pipeline_rule:create' });
  if (what.pipeline_source !== undefined && !mayWrite('pipeline'))
    throw new ForbiddenError(needs('pipeline'), { needs: 'pipeline:create' });
}

function needs(kind: string): string {
  return `Not authorized: a source that is not stored needs ${kind}:create or ${kind}:edit`;
}

/** The same with these rules instead of those with the same names. */
function withRules(settings: PipelineSettings, sources: readonly string[]): PipelineSettings {
  if (sources.length === 0) return settings;
  const added = sources.map((source, index) => unsavedRule(settings, source, `${UNSAVED}-${index}`));
  const names = new Set(added.map(({ name }) => name));
  if (names.size < added.length) throw new InvalidError('Two rules of with_rules have the same name.');
  return { ...settings, rules: [...settings.rules.filter(({ name }) => !names.has(name)), ...added] };
}

function unsavedRule({ grokPatterns }: PipelineSettings, source: string, id: string): SnapshotRule {
  const name = requireRule(source, { grokPatterns: grokPatternsOf(grokPatterns) });
  return { id, name, source, faultSlot: 0 };
}

interface OnlyPipeline {
  readonly settings: PipelineSettings;
  readonly name: string;
  readonly source: string;
}

/** The only pipeline that runs; a rule gets one of its own. */
function onlyPipeline(settings: PipelineSettings, what: WhatRuns): OnlyPipeline | undefined {
  const { rule_id, rule_source, pipeline_id, pipeline_source } = what;
  if (pipeline_source !== undefined) {
    return { settings, name: requirePipeline(pipeline_source).name, source: pipeline_source };
  }
  if (pipeline_id !== undefined) {
    const found = settings.pipelines.find(({ id }) => id === pipeline_id);
    if (found === undefined) throw new NotFoundError(`There is no pipeline ${pipeline_id}.`);
    return { settings, name: found.name, source: found.source };
  }
  if (rule_source !== undefined) return aloneWith(settings, unsavedRule(settings, rule_source, UNSAVED));
  if (rule_id === undefined) return undefined;
  const rule = settings.rules.find(({ id }) => id === rule_id);
  if (rule === undefined) throw new NotFoundError(`There is no rule ${rule_id} that is enabled.`);
  return aloneWith(settings, rule);
}

function aloneWith(settings: PipelineSettings, rule: SnapshotRule): OnlyPipeline {
  // Texts of rules have the escapes of JSON.
  const name = JSON.stringify(rule.name);
  return {
    settings: { ...settings, rules: [rule] },
    name: rule.name,
    source: `pipeline ${name}\nstage 0 match pass\nrule ${name}\nend`,
  };
}
