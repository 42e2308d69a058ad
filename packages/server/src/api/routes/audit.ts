import { auditPageSchema, auditQuerySchema } from '@millrace/contract';
import type { StoredAuditLog } from '#auth/index.ts';
import { defineRoute, type Route } from '../route.ts';

export function auditRoutes({ audit }: { readonly audit: StoredAuditLog }): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/system/audit',
      tag: 'Audit log',
      summary: 'Search the audit log',
      description: 'Who did what to which object, when and from where. Newest first, secrets masked.',
      permission: 'auditlog:read',
      query: auditQuerySchema,
      responses: { 200: auditPageSchema },
      errors: [],
      handler: ({ query }) => audit.search(query),
    }),
  ];
}
