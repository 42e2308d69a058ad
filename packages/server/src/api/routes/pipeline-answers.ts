import { ERROR_CODE_HEADER, pipelineProblemListSchema } from '@millrace/contract';
import { ForbiddenError, type Principal } from '#core/index.ts';
import { PipelineSourceError } from '#processing/service.ts';
import { rawReply } from '../reply.ts';

const JSON_TYPE = 'application/json';

/** Graylog answers a bad source with the list of its problems, not with an error object. */
export const problemsResponse = {
  contentType: JSON_TYPE,
  description: 'The source has problems: a list of them.',
  schema: pipelineProblemListSchema,
} as const;

/** Answers 400 when the source has problems. */
export async function orProblems<T>(work: () => T | Promise<T>) {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof PipelineSourceError)) throw error;
    return rawReply(400, JSON_TYPE, JSON.stringify(error.problems), {
      [ERROR_CODE_HEADER.toLowerCase()]: 'invalid_request',
    });
  }
}

/** Sources are checked for those who may store them: the work grows with their length. */
export function requireAuthor(principal: Principal, kind: 'pipeline' | 'pipeline_rule'): void {
  if (principal.can(`${kind}:create`) || principal.can(`${kind}:edit`)) return;
  throw new ForbiddenError(`Not authorized: this needs ${kind}:create or ${kind}:edit`, {
    needs: `${kind}:edit`,
  });
}
