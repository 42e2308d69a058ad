import { z } from 'zod';
import { fieldNameSchema } from './searched.ts';

const MAX_FIELD_LINKS = 200;
const MAX_LINK_LENGTH = 2000;

/** Browsers would run a `javascript:` link, so only web addresses are links. */
function isWebAddress(template: string): boolean {
  const url = URL.parse(template.replaceAll('{value}', 'value'));
  return url !== null && /^https?:$/.test(url.protocol) && !/^[^/]*\/\/[^/]*\{value\}/.test(template);
}

export const fieldLinkSchema = z
  .strictObject({
    field: fieldNameSchema,
    title: z.string().trim().min(1).max(100).describe('The text of the link, for example `Open trace`.'),
    url: z
      .string()
      .trim()
      .max(MAX_LINK_LENGTH)
      .refine(isWebAddress, {
        message:
          'Use an address that begins with http:// or https:// and has {value} behind the host, for example https://traces.example.org/trace/{value}.',
      })
      .describe('`{value}` stands for the value of the field, percent-encoded.'),
  })
  .meta({ id: 'FieldLink' });
export type FieldLink = z.infer<typeof fieldLinkSchema>;

/** `GET /system/field_links`, `PUT /system/field_links` */
export const fieldLinksSchema = z.array(fieldLinkSchema).max(MAX_FIELD_LINKS).meta({ id: 'FieldLinks' });
export type FieldLinks = z.infer<typeof fieldLinksSchema>;
