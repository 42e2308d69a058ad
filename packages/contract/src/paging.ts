import { z } from 'zod';
import { integerParameter } from './parameters.ts';

/** Query parameters of a paginated list, as in Graylog's newer lists. */
export const pagingQueryShape = {
  page: integerParameter({ min: 1 }).default(1).describe('Page, counted from 1.'),
  per_page: integerParameter({ min: 1, max: 1000 }).default(50).describe('Elements per page.'),
  query: z.string().default('').describe('Text to look for.'),
  sort: z.string().optional().describe('Field to sort by.'),
  order: z.enum(['asc', 'desc']).default('asc').describe('Direction of the sort.'),
};

export const pagingQuerySchema = z.object(pagingQueryShape);
export type PagingQuery = z.infer<typeof pagingQuerySchema>;

/** The numbers of a page: what `pagingResponseShape` adds to the list itself. */
export const pagingResponseShape = {
  total: z.int().min(0).describe('Elements on all pages.'),
  count: z.int().min(0).describe('Elements on this page.'),
  page: z.int().min(1),
  per_page: z.int().min(1),
};

/** A page as Graylog's newer lists answer it. */
export function elementPageShape<Element extends z.ZodType>(element: Element) {
  return {
    query: z.string(),
    sort: z.string(),
    order: z.enum(['asc', 'desc']),
    total: pagingResponseShape.total,
    pagination: z.object(pagingResponseShape),
    elements: z.array(element),
  };
}
