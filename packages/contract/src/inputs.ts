import { z } from 'zod';
import { problemSchema } from './errors.ts';
import { pagingQueryShape, pagingResponseShape } from './paging.ts';
import { revisionSchema, wantedRevisionSchema } from './revision.ts';
import { timestampSchema } from './time.ts';

export const MAX_INPUT_TITLE_LENGTH = 200;
export const MAX_STATIC_FIELD_NAME_LENGTH = 200;
export const MAX_STATIC_FIELD_VALUE_LENGTH = 8000;

/** The states of an input, with Graylog's names. */
export const INPUT_STATES = [
  'CREATED',
  'INITIALIZED',
  'INVALID_CONFIGURATION',
  'STARTING',
  'RUNNING',
  'FAILED',
  'STOPPING',
  'STOPPED',
  'TERMINATED',
] as const;
export const inputStateNameSchema = z.enum(INPUT_STATES);
export type InputStateName = z.infer<typeof inputStateNameSchema>;

/** One input. What is `configuration` in a request is called `attributes` here. */
export const inputSchema = z
  .object({
    title: z.string(),
    global: z.boolean().describe('Whether it runs on all nodes.'),
    name: z.string().describe('The display name of its type.'),
    content_pack: z.string().nullable(),
    id: z.string(),
    created_at: timestampSchema,
    type: z.string().describe('The class name of its type.'),
    creator_user_id: z.string(),
    attributes: z
      .record(z.string(), z.unknown())
      .describe(
        'The configuration as it was sent. Passwords and other secrets show as <password set>; send that to keep them.',
      ),
    effective_attributes: z
      .record(z.string(), z.unknown())
      .describe(
        'The configuration as it runs: with the defaults of what was not sent, without what inputs of this type do not have.',
      ),
    static_fields: z.record(z.string(), z.string()),
    node: z.string().nullable().describe('The node it runs on when it is not global.'),
    revision: revisionSchema,
  })
  .meta({ id: 'Input' });
export type Input = z.infer<typeof inputSchema>;

/** `GET /system/inputs` */
export const inputListSchema = z
  .object({ inputs: z.array(inputSchema), total: z.int().min(0) })
  .meta({ id: 'InputList' });
export type InputList = z.infer<typeof inputListSchema>;

/** `POST /system/inputs` and `PUT /system/inputs/{id}` */
export const inputRequestSchema = z
  .strictObject({
    title: z.string().trim().min(1).max(MAX_INPUT_TITLE_LENGTH),
    type: z
      .string()
      .min(1)
      .max(200)
      .describe('Class name or short id of the type, see /system/inputs/types.')
      .meta({ example: 'org.graylog2.inputs.gelf.tcp.GELFTCPInput' }),
    global: z.boolean().nullable().optional().describe('Run on all nodes; false when left out.'),
    configuration: z
      .record(z.string(), z.unknown())
      .describe('Fields as the type asks for them; those left out have their defaults.'),
    node: z
      .string()
      .min(1)
      .max(100)
      .nullable()
      .optional()
      .describe('The node to run on when it is not global; this one when left out.'),
    revision: wantedRevisionSchema,
  })
  .meta({ id: 'InputRequest' });
export type InputRequest = z.infer<typeof inputRequestSchema>;

export const inputCreatedSchema = z.object({ id: z.string() }).meta({ id: 'InputCreated' });
export type InputCreated = z.infer<typeof inputCreatedSchema>;

const dependedValueSchema = z.union([z.string(), z.number(), z.boolean()]);

/** A field of a component's configuration: what a form is made of. */
export const configurationFieldSchema = z
  .object({
    type: z.enum(['text', 'number', 'boolean', 'dropdown', 'list', 'object']),
    human_name: z.string(),
    description: z.string(),
    default_value: z.unknown(),
    is_optional: z.boolean(),
    attributes: z
      .array(z.string())
      .readonly()
      .describe('is_password, textarea, is_port_number, only_positive, …'),
    additional_info: z.object({
      values: z.record(z.string(), z.string()).optional().describe('What a dropdown offers.'),
    }),
    order: z.int().min(0).describe('The place among all fields.'),
    is_secret: z.boolean().describe('Shown as <password set> once it has a value; send that to keep it.'),
    group: z
      .string()
      .optional()
      .describe('Fields of a group stand together, folded away; those without one are always shown.'),
    depends_on: z
      .object({
        field: z.string(),
        value: z
          .union([dependedValueSchema, z.array(dependedValueSchema).readonly()])
          .describe('A value, or a list of values.'),
      })
      .optional()
      .describe('The field matters only while another one has this value, or one of these if it is a list.'),
    min: z.number().optional(),
    max: z.number().optional(),
    unit: z.string().optional().describe('What a number counts: bytes, seconds, milliseconds.'),
    placeholder: z.string().optional().describe('An example for an empty text box.'),
    get fields() {
      return z
        .record(z.string(), configurationFieldSchema)
        .optional()
        .describe('Of an object, or of every element of a list of objects.');
    },
  })
  .meta({ id: 'ConfigurationField' });

/** `GET /system/inputs/types` */
export const inputTypesSchema = z
  .object({ types: z.record(z.string(), z.string()).describe('Display names by class name.') })
  .meta({ id: 'InputTypes' });

export const inputTypeSchema = z
  .object({
    type: z.string(),
    name: z.string(),
    is_exclusive: z.boolean().describe('Whether there can be only one input of this type.'),
    requested_configuration: z.record(z.string(), configurationFieldSchema),
    link_to_docs: z.string(),
    description: z.string().describe('What it does and when to choose it.'),
    examples: z
      .array(
        z.object({
          label: z.string(),
          language: z.string().describe('For highlighting: shell, json, …'),
          text: z.string().describe('With {host} and {port} in the places of the address of the input.'),
          tls: z
            .boolean()
            .optional()
            .describe('Only for inputs with TLS (true) or without it (false); for both when left out.'),
        }),
      )
      .readonly()
      .describe('Ways to send a message to such an input.'),
  })
  .meta({ id: 'InputType' });
export type InputType = z.infer<typeof inputTypeSchema>;

/** `GET /system/inputs/types/all` */
export const inputTypeListSchema = z
  .record(z.string(), inputTypeSchema)
  .meta({ id: 'InputTypeList', description: 'Types by class name.' });

/** `POST /system/inputs/types/{type}/validate` */
export const inputConfigurationRequestSchema = z
  .strictObject({ configuration: inputRequestSchema.shape.configuration })
  .meta({ id: 'InputConfigurationRequest' });
export const configurationProblemsSchema = z
  .object({
    problems: z
      .array(problemSchema)
      .readonly()
      .describe('Empty when the configuration is valid. Paths begin with the name of the field.'),
  })
  .meta({ id: 'ConfigurationProblems' });

export const inputTypeParameter = z
  .string()
  .min(1)
  .max(200)
  .meta({ description: 'Class name or short id of an input type', example: 'gelf-tcp' });

export const inputLossSchema = z
  .object({
    reason: z.string().describe('The end of the name of the metric: dropped.<reason> or errors.<type>.'),
    unit: z
      .enum(['events', 'fields'])
      .describe(
        'What is counted: messages, requests and connections, or fields of messages that are stored.',
      ),
    count: z.int().min(1),
    what: z.string().describe('What happened, in words.'),
    remedy: z.string().describe('What to do about it.'),
    example: z.string().nullable().describe('The name of a field that was dropped, as it was sent.'),
  })
  .meta({ id: 'InputLoss' });
export type InputLoss = z.infer<typeof inputLossSchema>;

export const inputStateSchema = z
  .object({
    id: z.string(),
    state: inputStateNameSchema,
    started_at: timestampSchema.describe('When it entered this state.'),
    detailed_message: z.string().nullable().describe('Why, when it is not running as it should.'),
    listening: z
      .object({ address: z.string(), port: z.int().min(0) })
      .nullable()
      .describe('Where it listens while it runs: also with the port 0, for which the system chooses one.'),
    losses: z
      .array(inputLossSchema)
      .describe(
        'What it lost or refused since the node started, the most first. Blank messages are no loss.',
      ),
    message_input: inputSchema,
  })
  .meta({ id: 'InputState' });
export type InputState = z.infer<typeof inputStateSchema>;

/** `GET /system/inputs/paginated` */
export const inputPageQuerySchema = z.object({
  ...pagingQueryShape,
  sort: z
    .enum(['state', 'title', 'type', 'address'])
    .default('state')
    .describe('By state: those that fail first, then those that lose messages, then by title.'),
});
export const inputPageSchema = z
  .object({ ...pagingResponseShape, inputs: z.array(inputSchema) })
  .meta({ id: 'InputPage' });
export type InputPage = z.infer<typeof inputPageSchema>;

/** `GET /system/inputstates`: the inputs of one node. */
export const inputStateListSchema = z
  .object({ states: z.array(inputStateSchema) })
  .meta({ id: 'InputStateList' });
export type InputStateList = z.infer<typeof inputStateListSchema>;

/** `GET /cluster/inputstates` */
export const clusterInputStatesSchema = z.record(z.string(), z.array(inputStateSchema).nullable()).meta({
  id: 'ClusterInputStates',
  description: 'The inputs of each node by its id; null for one that did not answer.',
});
export type ClusterInputStates = z.infer<typeof clusterInputStatesSchema>;

/** `PUT` and `DELETE /cluster/inputstates/{id}` */
export const clusterInputChangedSchema = z.record(z.string(), inputCreatedSchema.nullable()).meta({
  id: 'ClusterInputChanged',
  description:
    'What each node answered, by its id; null for one that did not or that does not have the input.',
});

/** `POST /system/inputs/{id}/test_message` */
export const testMessageSentSchema = z
  .object({ query: z.string().describe('Finds the message once it is stored.') })
  .meta({ id: 'TestMessageSent' });
export type TestMessageSent = z.infer<typeof testMessageSentSchema>;

/** `POST /system/inputs/{id}/staticfields` */
export const staticFieldRequestSchema = z
  .strictObject({
    key: z.string().max(MAX_STATIC_FIELD_NAME_LENGTH).describe('Field name without leading underscore.'),
    value: z.string().max(MAX_STATIC_FIELD_VALUE_LENGTH),
  })
  .meta({ id: 'StaticFieldRequest' });
export type StaticFieldRequest = z.infer<typeof staticFieldRequestSchema>;

export const staticFieldParameter = z.string().min(1).max(MAX_STATIC_FIELD_NAME_LENGTH).meta({
  description: 'Name of a static field',
  example: 'datacenter',
});
