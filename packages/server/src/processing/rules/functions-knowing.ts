import type { PipelineFunction } from './define.ts';
import type { RuleKnowledge } from './knowledge.ts';

/** The same functions; their checks of constants know this. */
export function functionsKnowing(
  functions: ReadonlyMap<string, PipelineFunction>,
  known: RuleKnowledge,
): ReadonlyMap<string, PipelineFunction> {
  return new Map(
    [...functions].map(([name, fn]) => {
      const { checkConstants } = fn;
      if (checkConstants === undefined) return [name, fn];
      return [name, { ...fn, checkConstants: (constants) => checkConstants(constants, known) }];
    }),
  );
}
