import { Button } from '@mantine/core';
import type { TriggeredAlert } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import {
  alertSearch,
  alertSentence,
  alertTitle,
  alertValuesQuery,
  useResolve,
} from '../../lib/alerts/index.ts';
import { formatShort } from '../../lib/format/index.ts';
import { formatDuration, parseInstant, useNow } from '../../lib/time/index.ts';
import { stringifySearch } from '../../lib/url/index.ts';
import { Disabled, usePermissionReason } from '../disabled.tsx';
import { Entry } from '../entry-list.tsx';
import { ErrorNotice } from '../error-notice.tsx';
import { StateBadge } from '../state-badge.tsx';
import { Timestamp } from '../timestamp.tsx';
import classes from './alerts.module.css';
import { texts } from './texts.ts';
import { ValueCourse } from './value-course.tsx';

export interface AlertRowProps {
  readonly alert: TriggeredAlert;
  /** Named where alerts of several streams stand together. */
  readonly streamTitle?: string | undefined;
}

/** An alert: since when, what was found, where its value is now. */
export function AlertRow({ alert, streamTitle }: AlertRowProps) {
  const isOpen = alert.resolved_at === null;
  // Values of what is over do not change, and a list of them would ask for many.
  const { data: values } = useQuery({ ...alertValuesQuery(alert), enabled: isOpen });
  const last = values?.points.at(-1)?.[1];
  const resolve = useResolve(alert);
  return (
    <Entry
      state={<AlertState alert={alert} />}
      {...(isOpen && { figure: values === undefined ? null : <ValueCourse {...values} isSmall /> })}
      actions={
        <>
          <Button size="xs" component="a" href={`/search${stringifySearch(alertSearch(alert))}`}>
            {texts.searchIt}
          </Button>
          {isOpen && <ResolveButton alert={alert} resolve={resolve} />}
        </>
      }
    >
      <Link to="/alerts/$id" params={{ id: alert.id }} className={classes.title}>
        <bdi>{alertTitle(alert)}</bdi>
      </Link>
      <p>
        {/* Without a title it stands above. */}
        {alert.title !== '' && alertSentence(alert)}
        {isOpen && typeof last === 'number' && ` ${texts.now(formatShort(last))}`}
      </p>
      <p className={classes.dim}>
        {streamTitle !== undefined && (
          <>
            <bdi>{streamTitle}</bdi>
            {', '}
          </>
        )}
        {Object.entries(alert.key).map(([field, value]) => (
          <span key={field}>
            {field} <bdi className={classes.key}>{value}</bdi>
            {', '}
          </span>
        ))}
        <AlertTime alert={alert} />
      </p>
      {resolve.error !== null && <ErrorNotice error={resolve.error} />}
    </Entry>
  );
}

export function AlertState({ alert }: { readonly alert: TriggeredAlert }) {
  const now = useNow();
  if (alert.resolved_at !== null) return <StateBadge tone="ok">{texts.resolved}</StateBadge>;
  const since = parseInstant(alert.triggered_at) ?? now;
  return <StateBadge tone="danger">{texts.open(formatDuration(wholeSeconds(now - since)))}</StateBadge>;
}

const SECOND_MS = 1000;

/** Nobody needs tenths of a second here. */
function wholeSeconds(ms: number): number {
  return Math.max(1, Math.floor(ms / SECOND_MS)) * SECOND_MS;
}

/** When it began, and how long it lasted. */
export function AlertTime({ alert: { triggered_at, resolved_at } }: { readonly alert: TriggeredAlert }) {
  const [from, to] = [parseInstant(triggered_at), parseInstant(resolved_at ?? '')];
  return (
    <>
      <Timestamp value={triggered_at} />
      {from !== undefined && to !== undefined && `, ${texts.lasted(formatDuration(to - from))}`}
    </>
  );
}

interface ResolveButtonProps {
  readonly alert: TriggeredAlert;
  readonly resolve: ReturnType<typeof useResolve>;
}

export function ResolveButton({ alert, resolve }: ResolveButtonProps) {
  const missing = usePermissionReason('streams:edit', alert.stream_id, texts.thisStream);
  const streams = alert.stream_ids.length;
  const reason = streams === 1 ? missing : streams === 0 ? texts.noStream : texts.severalStreams;
  return (
    <Disabled reason={reason}>
      <Button
        size="xs"
        aria-label={texts.resolveOf(alertTitle(alert))}
        loading={resolve.isPending}
        onClick={() => resolve.mutate(undefined)}
      >
        {texts.resolve}
      </Button>
    </Disabled>
  );
}
