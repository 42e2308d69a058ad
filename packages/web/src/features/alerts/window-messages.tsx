import { Button } from '@mantine/core';
import type { TriggeredAlert } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { MessageLine } from '../../components/message-rows.tsx';
import { alertQueryText, alertSearch } from '../../lib/alerts/index.ts';
import { call } from '../../lib/api/index.ts';
import { fromFound, type LogMessage, messageKey } from '../../lib/messages/index.ts';
import classes from './alerts.module.css';
import { alertTexts as texts } from './texts.ts';

const SHOWN = 20;

/** What triggered an alert: the newest messages of its window. */
export function WindowMessages({ alert }: { readonly alert: TriggeredAlert }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['alert-messages', alert.id],
    queryFn: ({ signal }) =>
      call('POST /messages/search', {
        body: {
          query: alertQueryText(alert),
          streams: alert.stream_ids,
          timerange: { type: 'absolute', ...alert.window },
          limit: SHOWN,
        },
        signal,
      }),
    retry: false,
  });
  return (
    <section className={classes.section} aria-label={texts.messages}>
      <div className={classes.heading}>
        <h2>{texts.messages}</h2>
        {data !== undefined && data.total_results > 0 && (
          <Button
            size="xs"
            renderRoot={(props) => <Link to="/search" search={alertSearch(alert)} {...props} />}
          >
            {texts.allMessages(data.total_results)}
          </Button>
        )}
      </div>
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {data?.total_results === 0 && (
        <p className={classes.dim}>{isOfFew(alert) ? texts.noMessagesAsWatched : texts.noMessages}</p>
      )}
      {data !== undefined && data.total_results > 0 && (
        <ul className={classes.messages}>
          {data.messages.map(fromFound).map((message) => (
            <li key={messageKey(message)}>
              <OneMessage message={message} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Whether it is about messages that did not arrive. */
function isOfFew({
  condition_type: type,
  condition_parameters: { threshold_type },
}: TriggeredAlert): boolean {
  return type === 'silence' || (type === 'message_count' && threshold_type === 'LESS');
}

function OneMessage({ message }: { readonly message: LogMessage }) {
  return (
    <Link
      to="/messages/$index/$id"
      params={{ index: message.index ?? '', id: message.id }}
      className={classes.message}
    >
      <MessageLine message={message} />
    </Link>
  );
}
