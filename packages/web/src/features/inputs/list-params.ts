import { pageNumberParam, pageParams, textParam } from '../../lib/url/index.ts';

export interface ListValues {
  readonly find: string;
  readonly page: number;
}

/** What the list shows, in its URL. */
export const listParams = pageParams<ListValues>({ find: textParam(), page: pageNumberParam() });
