import { z } from 'zod';

const MAX_ENTRIES = 1000;
const MAX_VALUE_LENGTH = 2000;

/** `GET` and `PUT /system/urlallowlist` */
export const urlAllowlistSchema = z
  .strictObject({
    entries: z
      .array(
        z.strictObject({
          id: z.string().min(1).max(100),
          type: z
            .enum(['literal', 'regex'])
            .describe('literal: the whole URL; regex: found anywhere in it unless it is anchored (RE2).'),
          title: z.string().max(200).default(''),
          value: z.string().min(1).max(MAX_VALUE_LENGTH),
        }),
      )
      .max(MAX_ENTRIES),
    disabled: z.boolean().describe('Whether any URL may be called.'),
  })
  .meta({ id: 'UrlAllowlist' });
export type UrlAllowlist = z.infer<typeof urlAllowlistSchema>;

/** `POST /system/urlallowlist/check` */
export const urlCheckRequestSchema = z
  .strictObject({ url: z.string().min(1).max(MAX_VALUE_LENGTH) })
  .meta({ id: 'UrlCheckRequest' });
export const urlCheckSchema = z
  .object({
    url: z.string(),
    is_allowlisted: z.boolean(),
    is_whitelisted: z.boolean().describe('The same, as older clients read it.'),
  })
  .meta({ id: 'UrlCheck' });

/** `POST /system/urlallowlist/generate_regex` */
export const urlRegexRequestSchema = z
  .strictObject({
    url_template: z.string().min(1).max(MAX_VALUE_LENGTH),
    placeholder: z.string().min(1).max(100).nullable().optional(),
  })
  .meta({ id: 'UrlRegexRequest' });
export const urlRegexSchema = z.object({ regex: z.string() }).meta({ id: 'UrlRegex' });
