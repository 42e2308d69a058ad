/** Compiles the pipelines of a snapshot. */
import {
  checkRule,
  compileRule,
  parsePipeline,
  parseRule,
  type RuleHost,
  type RuleProblem,
  type StageMatch,
} from '@millrace/rules';
import { errorMessage } from '#core/index.ts';
import type { PipelineSettings, SnapshotRule } from '#streams/index.ts';
import {
  FUNCTIONS,
  functionsKnowing,
  grokPatternsOf,
  type PipelineContext,
  type PipelineFunction,
  readerOf,
} from '../rules/index.ts';
import { ConditionTable, type SharedCondition } from './conditions.ts';
import { createRuleIndex, type RuleIndex } from './rule-index.ts';

export interface ProgramRule {
  readonly id: string;
  readonly name: string;
  readonly conditions: readonly SharedCondition[];
  readonly actions: readonly ((context: PipelineContext) => void)[];
}

export interface ProgramStage {
  readonly pipelineId: string;
  readonly pipelineName: string;
  readonly number: number;
  readonly match: StageMatch;
  readonly rules: readonly ProgramRule[];
  readonly index: RuleIndex;
}

/** What messages of a set of streams pass: stages of all their pipelines, by number. */
export interface Program {
  readonly stages: readonly ProgramStage[];
}

export interface PipelinePrograms {
  readonly isEmpty: boolean;
  /** All that run. */
  readonly rules: readonly ProgramRule[];
  readonly conditionCount: number;
  /** The same object for the same streams. */
  programOf(streamIds: readonly string[]): Program;
}

const HOST: RuleHost<PipelineContext> = {
  fieldReader(field) {
    const read = readerOf(field);
    return ({ current }) => read(current.message);
  },
  message: ({ current }) => current,
};
const EMPTY: Program = { stages: [] };
/** Sets of streams that were seen; beyond this number all are forgotten. */
const MAX_PROGRAMS = 10_000;

/**
 * Rules and pipelines with problems are left out: they were reported when they were saved.
 * @param leftOut is told of a rule that had none then: a function of a plugin may be missing now
 */
export function compilePrograms(
  settings: PipelineSettings,
  leftOut: (text: string) => void = () => {},
): PipelinePrograms {
  const table = new ConditionTable(HOST);
  const rules = new Map<string, ProgramRule>();
  const functions = functionsKnowing(FUNCTIONS, { grokPatterns: grokPatternsOf(settings.grokPatterns) });
  for (const rule of settings.rules) {
    const compiled = compileOne(rule, table, functions);
    if (typeof compiled === 'string') leftOut(`the rule "${rule.name}" is left out: ${compiled}`);
    else rules.set(rule.name, compiled);
  }
  const stages = new Map(settings.pipelines.map(({ id, source }) => [id, stagesOf(id, source, rules)]));
  const byStream = new Map(settings.connections.map(({ streamId, pipelineIds }) => [streamId, pipelineIds]));
  const programs = new Map<string, Program>();
  const byList = new WeakMap<readonly string[], Program>();
  const isEmpty = settings.connections.every(({ pipelineIds }) => pipelineIds.every((id) => !stages.has(id)));

  let lastList: readonly string[] | undefined;
  let lastProgram = EMPTY;

  function build(streamIds: readonly string[]): Program {
    const ids = [...new Set(streamIds.flatMap((id) => byStream.get(id) ?? []))].sort();
    const all = ids.flatMap((id) => stages.get(id) ?? []);
    if (all.length === 0) return EMPTY;
    return { stages: all.toSorted((one, other) => one.number - other.number) };
  }

  return {
    isEmpty,
    rules: [...rules.values()],
    get conditionCount() {
      return table.size;
    },
    programOf(streamIds) {
      // The streams of a target are one shared list, so the list itself is the usual key.
      if (streamIds === lastList) return lastProgram;
      // Both after the call, where a time guard may end this.
      const program = byList.get(streamIds) ?? found(streamIds);
      lastList = streamIds;
      lastProgram = program;
      return program;
    },
  };

  function found(streamIds: readonly string[]): Program {
    const key = streamIds.join();
    let program = programs.get(key);
    if (program === undefined) {
      if (programs.size >= MAX_PROGRAMS) programs.clear();
      program = build(streamIds);
      programs.set(key, program);
    }
    byList.set(streamIds, program);
    return program;
  }
}

/** A text says what is wrong with it. Nothing is thrown: no change of anything else could be used then. */
function compileOne(
  rule: SnapshotRule,
  table: ConditionTable,
  functions: ReadonlyMap<string, PipelineFunction>,
): ProgramRule | string {
  try {
    return compiledRule(rule, table, functions);
  } catch (error) {
    return errorMessage(error);
  }
}

function compiledRule(
  { id, name, source }: SnapshotRule,
  table: ConditionTable,
  functions: ReadonlyMap<string, PipelineFunction>,
): ProgramRule | string {
  const parsed = parseRule(source);
  if (parsed.rule === undefined) return firstOf(parsed.problems);
  const { rule: checked, problems } = checkRule<PipelineFunction>(parsed.rule, source, functions);
  if (checked === undefined) return firstOf(problems);
  return {
    id,
    name,
    conditions: table.conditionsOf(checked.condition, source),
    actions: compileRule(checked, HOST).actions,
  };
}

function firstOf([first]: readonly RuleProblem[]): string {
  return first === undefined ? 'it has problems' : `line ${first.line}: ${first.message}`;
}

function stagesOf(id: string, source: string, rules: ReadonlyMap<string, ProgramRule>): ProgramStage[] {
  const { pipeline } = parsePipeline(source);
  return (pipeline?.stages ?? []).map((stage) => {
    const found = stage.rules.map(({ name }) => rules.get(name) ?? unknownRule(name));
    return {
      pipelineId: id,
      pipelineName: pipeline?.name ?? '',
      number: stage.number,
      match: stage.match,
      rules: found,
      index: createRuleIndex(found),
    };
  });
}

/** A rule that does not exist, is disabled or has errors never matches. */
function unknownRule(name: string): ProgramRule {
  const never = { index: -1, test: () => false, question: undefined };
  return { id: '', name, conditions: [never], actions: [] };
}
