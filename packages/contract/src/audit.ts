import { z } from 'zod';
import { pagingResponseShape } from './paging.ts';
import { integerParameter } from './parameters.ts';
import { timestampSchema } from './time.ts';

export const auditOutcomeSchema = z.enum(['success', 'failure']);

export const auditEntrySchema = z
  .strictObject({
    id: z.string(),
    timestamp: timestampSchema,
    actor: z.string().meta({ description: 'User name; for a failed login, the name that was tried' }),
    address: z.string().nullable(),
    action: z.string().meta({ examples: ['user.create', 'session.create'] }),
    object_type: z.string(),
    object_id: z.string().nullable(),
    before: z.unknown().meta({ description: 'The object before the change, secrets masked' }),
    after: z.unknown().meta({ description: 'The object after the change, secrets masked' }),
    outcome: auditOutcomeSchema,
  })
  .meta({ id: 'AuditEntry' });
export type AuditEntryView = z.infer<typeof auditEntrySchema>;

/** A time in a query parameter: ISO 8601 with an offset, or only a date. */
const momentParameter = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()])
  .meta({ type: 'string', examples: ['2026-01-31T12:00:00.000Z'] });

export const auditQuerySchema = z.object({
  page: integerParameter({ min: 1, max: 1_000_000 }).default(1).describe('Page, counted from 1.'),
  per_page: integerParameter({ min: 1, max: 1000 }).default(50).describe('Entries per page.'),
  actor: z.string().max(200).optional().describe('Exact user name.'),
  action: z.string().max(200).optional().describe('Exact action, for example user.create.'),
  object_type: z.string().max(200).optional(),
  object_id: z.string().max(200).optional(),
  outcome: auditOutcomeSchema.optional(),
  from: momentParameter.optional().describe('Entries at or after this time.'),
  to: momentParameter.optional().describe('Entries before this time.'),
  query: z.string().max(500).optional().describe('Text anywhere in an entry, in any case.'),
});
export type AuditQuery = z.infer<typeof auditQuerySchema>;

export const auditPageSchema = z.strictObject({
  ...pagingResponseShape,
  entries: z.array(auditEntrySchema),
});
export type AuditPage = z.infer<typeof auditPageSchema>;
