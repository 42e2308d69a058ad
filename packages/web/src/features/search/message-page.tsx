import { Button } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import type { ValueActions } from '../../components/field-value.tsx';
import { MessageDetail } from '../../components/message-detail.tsx';
import { Page, PageHeader } from '../../components/page-header.tsx';
import { ApiError } from '../../lib/api/index.ts';
import { onlyValue } from '../../lib/edit-query/index.ts';
import { fromResult, type LogMessage, scalarsOf } from '../../lib/messages/index.ts';
import { formatInstant, useTimeZone } from '../../lib/time/index.ts';
import { Around } from './detail/around.tsx';
import { heldAtFirst, streamsAround } from './detail/surroundings.ts';
import { useFieldLinks } from './detail/use-field-links.ts';
import { messageQuery } from './queries.ts';
import classes from './search.module.css';
import { searchParams } from './search-params.ts';
import { texts } from './texts.ts';
import { useEntityTitles } from './use-entity-titles.ts';

const NOT_FOUND = 404;
/** Before and after the message, for what is searched from here. */
const AROUND_MS = 5 * 60_000;

/** One message, where a link to it leads. */
export function MessagePage() {
  const { index = '', id = '' } = useParams({ strict: false });
  const { data, error, refetch } = useQuery(messageQuery(index, id));
  if (error instanceof ApiError && error.status === NOT_FOUND) {
    return (
      <EmptyState
        isPage
        title={texts.messageGone}
        action={
          <Button component={Link} to="/search" variant="filled">
            {texts.title}
          </Button>
        }
      />
    );
  }
  return (
    <Page>
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {data !== undefined && <SingleMessage key={id} message={fromResult(data)} />}
    </Page>
  );
}

function SingleMessage({ message }: { readonly message: LogMessage }) {
  const zone = useTimeZone();
  const navigate = useNavigate();
  const linksOf = useFieldLinks();
  const [tab, setTab] = useState('fields');
  const { timestamp, index = '', id, fields } = message;
  const [held, setHeld] = useState(() => heldAtFirst(fields));
  const titleOf = useEntityTitles('streams', scalarsOf(fields.streams));
  const place = {
    s: streamsAround(fields),
    t: { type: 'absolute', from: timestamp - AROUND_MS, to: timestamp + AROUND_MS },
  } as const;
  const search = (values: { readonly q: string } | { readonly msg: string }) =>
    void navigate({ to: '/search', search: searchParams.write({ ...place, ...values }) });
  const searchFor = (q: string) => search({ q });
  const actions: ValueActions = {
    include: (field, value) => searchFor(onlyValue(field, value)),
    exclude: (field, value) => searchFor(`NOT ${onlyValue(field, value)}`),
    only: (field, value) => searchFor(onlyValue(field, value)),
  };
  return (
    <>
      <PageHeader
        title={texts.message}
        about={formatInstant(timestamp, zone, 'millisecond')}
        actions={
          <Button onClick={() => search({ msg: `${index}/${id}` })} leftSection={<IconSearch size={16} />}>
            {texts.searchAround}
          </Button>
        }
      />
      <div className={classes.single}>
        <MessageDetail
          message={message}
          actions={actions}
          titleOf={titleOf}
          linksOf={linksOf}
          tab={tab}
          onTabChange={setTab}
        />
      </div>
      <h2>{texts.around}</h2>
      <Around index={index} id={id} timestamp={timestamp} fields={fields} held={held} onHold={setHeld} />
    </>
  );
}
