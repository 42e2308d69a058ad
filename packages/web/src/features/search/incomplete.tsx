import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { InlineNotice } from '../../components/inline-notice.tsx';
import { histogramQuery } from './histogram/queries.ts';
import { type MaybePartial, missingServers } from './missing-servers.ts';
import { messagesQuery } from './queries.ts';
import classes from './search.module.css';
import { texts } from './texts.ts';
import type { SearchState } from './use-search.ts';

/** Says which servers the messages of the list or the bars of the histogram are without. */
export function IncompleteNotice({ search }: { readonly search: SearchState }) {
  'use memo';
  const { run, values } = search;
  const { data } = useInfiniteQuery(messagesQuery(run));
  // Only looked at: the histogram itself asks, unless it is hidden.
  const { data: histogram } = useQuery({ ...histogramQuery(run, values.by), enabled: false });
  const servers = missingServers([...(data?.pages ?? []), histogram?.answer]);
  if (servers.length === 0) return null;
  return (
    <div className={classes.notice}>
      <InlineNotice kind="warn" title={texts.missingServers(servers)}>
        {texts.missingServersWhy}
      </InlineNotice>
    </div>
  );
}

/** The same in a line, where another answer is shown. */
export function Incomplete({ answer }: { readonly answer: MaybePartial }) {
  const servers = missingServers([answer]);
  return servers.length === 0 ? null : <p className={classes.incomplete}>{texts.missingServers(servers)}</p>;
}
