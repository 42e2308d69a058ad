import { Button } from '@mantine/core';
import type { AlertConditionView, Stream, TriggeredAlert } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Disabled } from '../../components/disabled.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { StateBadge } from '../../components/state-badge.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { alertsQuery, conditionsQuery, useAlertMutation } from '../../lib/alerts/index.ts';
import { call } from '../../lib/api/index.ts';
import { parseInstant } from '../../lib/time/index.ts';
import { stringifySearch } from '../../lib/url/index.ts';
import { alertTexts as texts } from './alert-texts.ts';
import { ConditionRow } from './condition-row.tsx';
import { usePermissionReason } from './stream-parts.tsx';
import classes from './tabs.module.css';

const REFRESH_MS = 15_000;
const MINUTE_MS = 60_000;
/** An alert looks back; its messages are a little older than itself. */
const BEFORE_MS = 10 * MINUTE_MS;

/** What watches the stream, and what it found. */
export function AlertsTab({ stream }: { readonly stream: Stream }) {
  const reason = usePermissionReason('streams:edit', stream.id);
  const { data: conditions, error, refetch } = useQuery(conditionsQuery(stream.id));
  const { data: open } = useQuery({
    ...alertsQuery(stream.id, 'unresolved'),
    refetchInterval: REFRESH_MS,
    meta: { isBackground: true },
  });
  if (error !== null) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (conditions === undefined) return null;
  const alerting = new Set(open?.alerts.map(({ condition_id: id }) => id));
  const create = (
    <Disabled reason={reason}>
      <Button
        variant={conditions.length === 0 ? 'filled' : 'default'}
        renderRoot={(props) => <Link to="/alerts/conditions/new" search={{ s: stream.id }} {...props} />}
      >
        {texts.newCondition}
      </Button>
    </Disabled>
  );
  return (
    <>
      <AlertList stream={stream} conditions={conditions} isOpen />
      <section className={classes.section} aria-label={texts.conditions}>
        <div className={classes.heading}>
          <h2>{texts.conditions}</h2>
          {conditions.length > 0 && create}
        </div>
        {conditions.length === 0 && (
          <EmptyState title={texts.noConditions} action={create}>
            {texts.noConditionsWhy}
          </EmptyState>
        )}
        <ul className={classes.list}>
          {conditions.map((condition) => (
            <ConditionRow
              key={condition.id}
              condition={condition}
              isAlerting={alerting.has(condition.id)}
              reason={reason}
            />
          ))}
        </ul>
      </section>
      <AlertList stream={stream} conditions={conditions} isOpen={false} />
    </>
  );
}

interface AlertListProps {
  readonly stream: Stream;
  readonly conditions: readonly AlertConditionView[];
  readonly isOpen: boolean;
}

function AlertList({ stream, conditions, isOpen }: AlertListProps) {
  const { data } = useQuery(alertsQuery(stream.id, isOpen ? 'unresolved' : 'resolved'));
  if (data === undefined) return null;
  const rest = data.total - data.alerts.length;
  return (
    <section className={classes.section} aria-label={isOpen ? texts.open : texts.past}>
      <h2>{isOpen ? texts.open : texts.past}</h2>
      {data.alerts.length === 0 && <p className={classes.dim}>{isOpen ? texts.noneOpen : texts.nonePast}</p>}
      <ul className={classes.list}>
        {data.alerts.map((alert) => (
          <AlertRow
            key={alert.id}
            alert={alert}
            query={queryOf(conditions.find(({ id }) => id === alert.condition_id))}
          />
        ))}
      </ul>
      {rest > 0 && <p className={classes.dim}>{texts.more(rest)}</p>}
    </section>
  );
}

function queryOf(condition: AlertConditionView | undefined): string {
  return typeof condition?.parameters.query === 'string' ? condition.parameters.query : '*';
}

function AlertRow({ alert, query }: { readonly alert: TriggeredAlert; readonly query: string }) {
  const reason = usePermissionReason('streams:edit', alert.stream_id);
  const resolve = useAlertMutation(() =>
    call('PUT /streams/{streamId}/alerts/{alertId}/resolve', {
      path: { streamId: alert.stream_id, alertId: alert.id },
    }),
  );
  const isOpen = alert.resolved_at === null;
  return (
    <li className={classes.row}>
      <StateBadge tone={isOpen ? 'danger' : 'ok'}>{isOpen ? texts.alerting : texts.resolved}</StateBadge>
      <div className={classes.main}>
        <strong>{alert.title}</strong>
        <p>{alert.description}</p>
        <p className={classes.dim}>
          <Timestamp value={alert.triggered_at} />
          {alert.resolved_at !== null && (
            <>
              {' – '}
              <Timestamp value={alert.resolved_at} />
            </>
          )}
        </p>
        {resolve.error !== null && <ErrorNotice error={resolve.error} />}
      </div>
      <div className={classes.actions}>
        <Button size="xs" component="a" href={searchOf(alert, query)}>
          {texts.searchIt}
        </Button>
        {isOpen && (
          <Disabled reason={reason}>
            <Button size="xs" loading={resolve.isPending} onClick={() => resolve.mutate(undefined)}>
              {texts.resolve}
            </Button>
          </Disabled>
        )}
      </div>
    </li>
  );
}

/** The messages of its time. */
function searchOf({ stream_id: s, triggered_at, resolved_at }: TriggeredAlert, q: string): string {
  const from = new Date((parseInstant(triggered_at) ?? 0) - BEFORE_MS).toISOString();
  const end = resolved_at === null ? Date.now() : (parseInstant(resolved_at) ?? Date.now());
  const to = new Date(end + MINUTE_MS).toISOString();
  return `/search${stringifySearch({ q, s, t: `${from}/${to}` })}`;
}
