import { z } from 'zod';
import { pagingResponseShape } from './paging.ts';
import { revisionSchema, wantedRevisionSchema } from './revision.ts';
import { timestampSchema } from './time.ts';

/** Characters of the source of a rule or a pipeline. */
export const MAX_PIPELINE_SOURCE_LENGTH = 200_000;
const MAX_DESCRIPTION_LENGTH = 2000;
const MAX_CONNECTIONS = 1000;

const sourceRequestShape = {
  title: z.string().max(1000).nullable().optional().describe('Ignored: the name is part of the source.'),
  description: z.string().max(MAX_DESCRIPTION_LENGTH).nullable().optional(),
  source: z.string().max(MAX_PIPELINE_SOURCE_LENGTH).describe('The text of the rule or pipeline.'),
  revision: wantedRevisionSchema,
};

/** `POST /system/pipelines/rule` and the like. Graylog's clients send back what they have read. */
export const pipelineSourceRequestSchema = z
  .looseObject(sourceRequestShape)
  .meta({ id: 'PipelineSourceRequest' });
export type PipelineSourceRequest = z.infer<typeof pipelineSourceRequestSchema>;

/** What is wrong with a source. */
export const pipelineProblemSchema = z
  .object({
    type: z.string().describe('For programs: `syntax_error`, `undeclared_function`, …'),
    line: z.int().describe('From 1.'),
    position_in_line: z.int().describe('From 1.'),
    reason: z.string(),
    hint: z.string().nullable().describe('What to do.'),
    fix: z
      .object({ from: z.int(), to: z.int(), insert: z.string() })
      .nullable()
      .describe('A change of the source that corrects the problem; positions are UTF-16 units.'),
  })
  .meta({ id: 'PipelineProblem' });
export const pipelineProblemListSchema = z.array(pipelineProblemSchema).meta({ id: 'PipelineProblemList' });
export type PipelineProblem = z.infer<typeof pipelineProblemSchema>;

const storedShape = {
  id: z.string().nullable().describe('Null for a source that was only parsed.'),
  title: z.string(),
  description: z.string(),
  source: z.string(),
  created_at: timestampSchema.nullable(),
  modified_at: timestampSchema.nullable(),
  errors: z.array(pipelineProblemSchema).nullable(),
  revision: revisionSchema.nullable().meta({ description: 'Null for a source that was only parsed.' }),
};

export const pipelineRuleSchema = z
  .object({
    ...storedShape,
    disabled_reason: z
      .string()
      .nullable()
      .describe('Why the rule does not run: it took too long, too often. Saving it enables it again.'),
    used_in_pipelines: z
      .array(z.object({ id: z.string(), title: z.string(), stages: z.array(z.int()) }))
      .describe('Pipelines that name it and that the user may read, with the stages.'),
  })
  .meta({ id: 'PipelineRule' });
export type PipelineRuleView = z.infer<typeof pipelineRuleSchema>;
export const pipelineRuleListSchema = z.array(pipelineRuleSchema).meta({ id: 'PipelineRuleList' });

/** `GET /system/pipelines/rule/paginated` */
export const pipelineRulePageSchema = z
  .object({ ...pagingResponseShape, query: z.string(), rules: z.array(pipelineRuleSchema) })
  .meta({ id: 'PipelineRulePage' });
export type PipelineRulePage = z.infer<typeof pipelineRulePageSchema>;

/** `POST /system/pipelines/rule/multiple` */
export const pipelineRuleNamesSchema = z
  .strictObject({ rules: z.array(z.string().max(1000)).max(MAX_CONNECTIONS) })
  .meta({ id: 'PipelineRuleNames' });

export const pipelineStageSchema = z.object({
  stage: z.int(),
  match: z.enum(['ALL', 'EITHER', 'PASS']),
  match_all: z.boolean().describe('For clients of Graylog 3: whether `match` is ALL.'),
  rules: z.array(z.string()).describe('Names of rules.'),
});

export const pipelineSchema = z
  .object({ ...storedShape, stages: z.array(pipelineStageSchema) })
  .meta({ id: 'Pipeline' });
export type PipelineView = z.infer<typeof pipelineSchema>;
export const pipelineListSchema = z.array(pipelineSchema).meta({ id: 'PipelineList' });

/** `GET /system/pipelines/pipeline/paginated` */
export const pipelinePageSchema = z
  .object({ ...pagingResponseShape, query: z.string(), pipelines: z.array(pipelineSchema) })
  .meta({ id: 'PipelinePage' });
export type PipelinePage = z.infer<typeof pipelinePageSchema>;

export const pipelineConnectionSchema = z
  .object({
    id: z.string().describe('The id of the stream.'),
    stream_id: z.string(),
    pipeline_ids: z.array(z.string()),
  })
  .meta({ id: 'PipelineConnection' });
export type PipelineConnectionView = z.infer<typeof pipelineConnectionSchema>;
export const pipelineConnectionListSchema = z
  .array(pipelineConnectionSchema)
  .meta({ id: 'PipelineConnectionList' });

const idList = z.array(z.string().max(100)).max(MAX_CONNECTIONS);

/** `POST /system/pipelines/connections/to_stream` */
export const connectStreamRequestSchema = z
  .looseObject({ stream_id: z.string().max(100), pipeline_ids: idList })
  .meta({ id: 'ConnectStreamRequest' });

/** `POST /system/pipelines/connections/to_pipeline` */
export const connectPipelineRequestSchema = z
  .looseObject({ pipeline_id: z.string().max(100), stream_ids: idList })
  .meta({ id: 'ConnectPipelineRequest' });

/** `GET /system/pipelines/rule/functions` */
export const pipelineFunctionSchema = z
  .object({
    name: z.string(),
    description: z.string(),
    pure: z.boolean().describe('Whether its result depends on its arguments and the message alone.'),
    return_type: z.string(),
    params: z.array(
      z.object({
        name: z.string(),
        type: z.string(),
        transformed_type: z.string(),
        optional: z.boolean(),
        description: z.string(),
      }),
    ),
  })
  .meta({ id: 'PipelineFunction' });
export type PipelineFunctionView = z.infer<typeof pipelineFunctionSchema>;
export const pipelineFunctionListSchema = z
  .array(pipelineFunctionSchema)
  .meta({ id: 'PipelineFunctionList' });

const processorOrder = z
  .array(z.looseObject({ name: z.string().max(200).optional(), class_name: z.string().max(200) }))
  .max(50);

/** `GET /system/messageprocessors/config` */
export const messageProcessorsSchema = z
  .object({
    processor_order: z.array(z.object({ name: z.string(), class_name: z.string() })),
    disabled_processors: z.array(z.string()).describe('Class names.'),
  })
  .meta({ id: 'MessageProcessors' });
export type MessageProcessorsView = z.infer<typeof messageProcessorsSchema>;

/** The same among the settings of the cluster: class names only. */
export const messageProcessorClassesSchema = z.looseObject({
  processor_order: z.array(z.string().max(200)).min(1).max(50),
  disabled_processors: z.array(z.string().max(200)).max(50).default([]),
});

/** `PUT /system/messageprocessors/config` */
export const messageProcessorsRequestSchema = z
  .strictObject({
    processor_order: processorOrder,
    disabled_processors: z.array(z.string().max(200)).max(50).default([]),
  })
  .meta({ id: 'MessageProcessorsRequest' });
export type MessageProcessorsRequest = z.infer<typeof messageProcessorsRequestSchema>;
