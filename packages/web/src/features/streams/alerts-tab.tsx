import { Button } from '@mantine/core';
import type { Stream } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { AlertRow, ConditionRow, StreamChannels } from '../../components/alerts/index.ts';
import { Disabled } from '../../components/disabled.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { EntryList } from '../../components/entry-list.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { alertsQuery, conditionsQuery } from '../../lib/alerts/index.ts';
import { alertTexts as texts } from './alert-texts.ts';
import { usePermissionReason } from './stream-parts.tsx';
import classes from './tabs.module.css';

const REFRESH_MS = 15_000;

/** What watches the stream, who is told, and what was found. */
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
      <AlertList stream={stream} isOpen />
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
        <EntryList>
          {conditions.map((condition) => (
            <ConditionRow key={condition.id} condition={condition} isAlerting={alerting.has(condition.id)} />
          ))}
        </EntryList>
      </section>
      <StreamChannels streamId={stream.id} />
      <AlertList stream={stream} isOpen={false} />
    </>
  );
}

function AlertList({ stream, isOpen }: { readonly stream: Stream; readonly isOpen: boolean }) {
  const { data } = useQuery(alertsQuery(stream.id, isOpen ? 'unresolved' : 'resolved'));
  if (data === undefined) return null;
  const rest = data.total - data.alerts.length;
  return (
    <section className={classes.section} aria-label={isOpen ? texts.open : texts.past}>
      <h2>{isOpen ? texts.open : texts.past}</h2>
      {data.alerts.length === 0 && <p className={classes.dim}>{isOpen ? texts.noneOpen : texts.nonePast}</p>}
      <EntryList>
        {data.alerts.map((alert) => (
          <AlertRow key={alert.id} alert={alert} />
        ))}
      </EntryList>
      {rest > 0 && (
        <Link to={isOpen ? '/alerts' : '/alerts/past'} search={{ s: stream.id }}>
          {texts.more(rest)}
        </Link>
      )}
    </section>
  );
}
