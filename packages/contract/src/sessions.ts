import { z } from 'zod';
import { offsetTimestampSchema } from './time.ts';
import { MAX_PASSWORD_LENGTH } from './users.ts';

export const createSessionSchema = z
  .strictObject({
    username: z.string().min(1).max(200),
    password: z.string().min(1).max(MAX_PASSWORD_LENGTH).meta({ format: 'password' }),
    host: z.string().max(1000).nullable().optional().meta({ description: 'Accepted and not used' }),
  })
  .meta({ id: 'SessionRequest' });
export type CreateSessionRequest = z.infer<typeof createSessionSchema>;

export const sessionSchema = z
  .strictObject({
    session_id: z
      .uuid()
      .meta({ description: 'User part of HTTP Basic, with the word `session` as password' }),
    valid_until: offsetTimestampSchema,
    username: z.string(),
  })
  .meta({ id: 'Session' });
export type Session = z.infer<typeof sessionSchema>;

export const sessionValiditySchema = z
  .strictObject({
    is_valid: z.boolean(),
    session_id: z.string().nullable(),
    username: z.string().nullable(),
  })
  .meta({ id: 'SessionValidity' });
export type SessionValidity = z.infer<typeof sessionValiditySchema>;

export const sessionIdParameter = z.string().min(1).max(200).meta({ description: 'Session id' });
