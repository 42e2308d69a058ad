/** A pipeline as a form edits it. */
import { parsePipeline, type StageMatch } from '@millrace/rules';

export interface DraftStage {
  readonly number: number;
  readonly match: StageMatch;
  /** Names. */
  readonly rules: readonly string[];
}

export interface PipelineDraft {
  readonly name: string;
  readonly stages: readonly DraftStage[];
}

/** Undefined for a source that is no pipeline. */
export function readPipeline(source: string): PipelineDraft | undefined {
  const { pipeline } = parsePipeline(source);
  if (pipeline === undefined) return undefined;
  const stages = pipeline.stages.map(({ number, match, rules }) => ({
    number,
    match,
    rules: rules.map(({ name }) => name),
  }));
  return { name: pipeline.name, stages };
}

/** Texts of the language have the escapes of JSON. */
export function printPipeline({ name, stages }: PipelineDraft): string {
  const lines = stages
    .toSorted((one, other) => one.number - other.number)
    .flatMap(({ number, match, rules }) => [
      `stage ${number} match ${match}`,
      ...rules.map((rule) => `  rule ${JSON.stringify(rule)}`),
    ]);
  return [`pipeline ${JSON.stringify(name)}`, ...lines, 'end'].join('\n');
}

/** Comments are lost when a form writes the source anew. */
export function hasComments(source: string): boolean {
  return /\/[/*]/.test(source.replace(/"(?:[^"\\]|\\.)*"/g, ''));
}

/** The next number that no stage has. */
export function nextStageNumber(stages: readonly DraftStage[]): number {
  return stages.length === 0 ? 0 : Math.max(...stages.map(({ number }) => number)) + 1;
}
