import {
  pipelinePreviewRequestSchema,
  pipelinePreviewSchema,
  simulateRequestSchema,
  simulationSchema,
} from '@millrace/contract';
import type { PipelinesService } from '#processing/service.ts';
import { defineRoute, type Route } from '../route.ts';
import { orProblems, problemsResponse } from './pipeline-answers.ts';
import { SEARCH_ERRORS } from './search-errors.ts';

const tag = 'Pipelines/Simulator';
const SOURCES =
  'What is not stored needs pipeline_rule:create or pipeline_rule:edit, a pipeline pipeline:create or pipeline:edit.';

export type PipelineSimulationRouteDeps = Pick<PipelinesService, 'simulator' | 'preview'>;

export function pipelineSimulationRoutes({ simulator, preview }: PipelineSimulationRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/system/pipelines/simulate',
      tag,
      summary: 'Show what pipelines do to a message',
      description: `Runs the pipelines that are connected to the stream, or one rule or pipeline, with the code that processes new messages, and shows what each rule does. Nothing is stored, sent or counted. The answer names all pipelines and rules that run, also those that the user may not read. Needs streams:read for the stream. ${SOURCES}`,
      permission: 'pipeline_rule:read',
      body: simulateRequestSchema,
      responses: { 200: simulationSchema, 400: problemsResponse },
      errors: ['forbidden', 'not_found', 'unavailable'],
      handler: ({ principal, signal, body }) =>
        orProblems(() => simulator.simulate({ principal, signal }, body)),
    }),
    defineRoute({
      method: 'POST',
      path: '/system/pipelines/preview',
      tag,
      summary: 'Show what a rule or pipeline would do to stored messages',
      description: `Runs it over the newest messages that match and that the user may read, with the code that processes new messages. Nothing is stored. Messages are taken as they are stored: what rules did to them when they arrived is done already. ${SOURCES}`,
      permission: 'pipeline_rule:read',
      body: pipelinePreviewRequestSchema,
      strictBody: true,
      responses: { 200: pipelinePreviewSchema, 400: problemsResponse },
      errors: [...SEARCH_ERRORS, 'not_found', 'unavailable'],
      handler: ({ principal, signal, body }) =>
        orProblems(() => preview.preview({ principal, signal }, body)),
    }),
  ];
}
