/** Pipelines name rules: which ones do, and what happens when a rule gets another name. */
import { parsePipeline } from '@millrace/rules';
import { type Caller, ForbiddenError } from '#core/index.ts';
import type { Metadata, PipelineProperties, PipelineRecord, PipelineRuleRecord } from '#metadata/index.ts';

export interface RuleUse {
  readonly id: string;
  readonly title: string;
  readonly stages: number[];
}

type SomePipeline = Pick<PipelineRecord, 'id' | 'title' | 'source'>;

/** The pipelines that name a rule, by the names of rules. */
export function ruleUses(pipelines: readonly SomePipeline[]): ReadonlyMap<string, readonly RuleUse[]> {
  const uses = new Map<string, RuleUse[]>();
  for (const { id, title, source } of pipelines) {
    const stages = new Map<string, number[]>();
    for (const { number, rules } of parsePipeline(source).pipeline?.stages ?? []) {
      for (const { name } of rules) stages.set(name, [...(stages.get(name) ?? []), number]);
    }
    for (const [name, numbers] of stages) {
      uses.set(name, [...(uses.get(name) ?? []), { id, title, stages: numbers }]);
    }
  }
  return uses;
}

/** The source of a pipeline with another name for a rule; everything else stays as it is written. */
export function renamedIn(source: string, before: string, after: string): string {
  const references = (parsePipeline(source).pipeline?.stages ?? [])
    .flatMap(({ rules }) => rules)
    .filter(({ name }) => name === before)
    .toSorted((one, other) => other.from - one.from);
  let renamed = source;
  // From the end, so that positions stay valid. Texts of rules have the escapes of JSON.
  for (const { from, to } of references) {
    renamed = renamed.slice(0, from) + JSON.stringify(after) + renamed.slice(to);
  }
  return renamed;
}

export interface RenamedRule {
  /** Undefined: there is no such rule any more. */
  readonly rule: PipelineRuleRecord | undefined;
  readonly pipelines: readonly { readonly before: PipelineRecord; readonly after: PipelineRecord }[];
}

/**
 * Stores a rule that may have another name now, and the pipelines that use it, all or nothing. Rejects with
 * `ForbiddenError`, which names them, when the caller may not edit one of these pipelines. `look` sees what is stored
 * until then; nothing is stored when it throws.
 */
export function updateRule(
  { metadata, caller }: { readonly metadata: Metadata; readonly caller: Caller },
  id: string,
  properties: PipelineProperties,
  look: (stored: PipelineRuleRecord) => void,
): Promise<RenamedRule> {
  return metadata.transaction(async ({ repositories }) => {
    // Somebody else may have given it another name since the caller has read it.
    let before = properties.title;
    const rule = await repositories.pipelineRules.update(id, properties, (stored) => {
      look(stored);
      before = stored.title;
    });
    if (rule === undefined || rule.title === before) return { rule, pipelines: [] };
    const all = await repositories.pipelines.list();
    const users = ruleUses(all).get(before) ?? [];
    requireEditable(caller, before, users);
    const pipelines: { before: PipelineRecord; after: PipelineRecord }[] = [];
    for (const pipeline of all.filter(({ id }) => users.some((user) => user.id === id))) {
      const source = renamedIn(pipeline.source, before, rule.title);
      const after = await repositories.pipelines.update(pipeline.id, { ...pipeline, source });
      if (after !== undefined) pipelines.push({ before: pipeline, after });
    }
    return { rule, pipelines };
  });
}

function requireEditable({ principal }: Caller, name: string, users: readonly RuleUse[]): void {
  const locked = users.filter(({ id }) => !principal.can('pipeline:edit', id));
  if (locked.length === 0) return;
  const named = locked
    .filter(({ id }) => principal.can('pipeline:read', id))
    .map(({ title }) => `"${title}"`);
  const others = locked.length - named.length;
  const list = [...named, ...(others === 0 ? [] : [`${others} that you may not read`])].join(', ');
  throw new ForbiddenError(
    `The rule "${name}" cannot get another name: pipelines that you may not edit use it (${list}). ` +
      'Keep the name, or ask somebody who has pipeline:edit for them.',
    { needs: `pipeline:edit:${locked.map(({ id }) => id).join(',')}` },
  );
}
