import { z } from 'zod';
import { timestampSchema } from './time.ts';
import { lineOfText } from './users.ts';

const tokenShape = {
  id: z.string(),
  name: z.string().meta({ description: 'Chosen by the user; need not be unique' }),
  last_access: timestampSchema.meta({ description: '1970-01-01T00:00:00.000Z: never used' }),
};

/** The answer to the creation of a token: the only time its secret is shown. */
export const createdTokenSchema = z
  .strictObject({ ...tokenShape, token: z.string().meta({ description: 'The secret, shown only here' }) })
  .meta({ id: 'CreatedAccessToken' });
export type CreatedToken = z.infer<typeof createdTokenSchema>;

export const accessTokenSchema = z.strictObject(tokenShape).meta({ id: 'AccessToken' });
export type AccessToken = z.infer<typeof accessTokenSchema>;

export const tokenListSchema = z.strictObject({ tokens: z.array(accessTokenSchema) });

export const tokenNameParameter = lineOfText(1, 200).meta({ description: 'Name of the token' });

export const tokenOrIdParameter = z
  .string()
  .min(1)
  .max(200)
  .meta({ description: 'The secret value of the token, or its id' });
