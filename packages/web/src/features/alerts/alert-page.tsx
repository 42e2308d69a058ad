import { Button } from '@mantine/core';
import type { TriggeredAlert } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { AlertState, ResolveButton, ValueCourse } from '../../components/alerts/index.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { OneOrWhyNot } from '../../components/one-or-why-not.tsx';
import { Page, PageHeader } from '../../components/page-header.tsx';
import { PartBoundary } from '../../components/part-boundary.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import {
  alertDeliveriesQuery,
  alertQuery,
  alertSearch,
  alertTitle,
  alertValuesQuery,
  conditionSentence,
  conditionTypesQuery,
  SHOWN_ALERTS,
  useResolve,
} from '../../lib/alerts/index.ts';
import { useStreamTitles } from '../../lib/streams/index.ts';
import classes from './alerts.module.css';
import { Deliveries } from './deliveries.tsx';
import { listTexts, alertTexts as texts } from './texts.ts';
import { WindowMessages } from './window-messages.tsx';

const REFRESH_MS = 5_000;

export function AlertPage() {
  const { id = '' } = useParams({ strict: false });
  const result = useQuery({
    ...alertQuery(id),
    refetchInterval: ({ state }) => state.data?.resolved_at === null && REFRESH_MS,
    meta: { isBackground: true },
  });
  return (
    <OneOrWhyNot
      result={result}
      notFound={texts.notFound}
      notFoundWhy={texts.notFoundWhy}
      listPath="/alerts"
      toList={texts.allAlerts}
    >
      {(alert) => <OneAlert key={id} alert={alert} />}
    </OneOrWhyNot>
  );
}

function OneAlert({ alert }: { readonly alert: TriggeredAlert }) {
  const resolve = useResolve(alert);
  return (
    <Page>
      <PageHeader
        title={alertTitle(alert)}
        about={
          <span className={classes.about}>
            <AlertState alert={alert} />
            <span>{alert.description}</span>
          </span>
        }
        actions={
          <>
            <Button
              size="xs"
              renderRoot={(props) => <Link to="/search" search={alertSearch(alert)} {...props} />}
            >
              {texts.searchIt}
            </Button>
            {alert.resolved_at === null && <ResolveButton alert={alert} resolve={resolve} />}
          </>
        }
      />
      {resolve.error !== null && <ErrorNotice error={resolve.error} />}
      <Facts alert={alert} />
      <PartBoundary>
        <Values alert={alert} />
      </PartBoundary>
      <PartBoundary>
        <WindowMessages alert={alert} />
      </PartBoundary>
      <PartBoundary>
        <WhoWasTold alertId={alert.id} />
      </PartBoundary>
    </Page>
  );
}

function Facts({ alert }: { readonly alert: TriggeredAlert }) {
  const { data: types } = useQuery(conditionTypesQuery);
  const { titles } = useStreamTitles(alert.stream_ids);
  const condition = { type: alert.condition_type, parameters: alert.condition_parameters };
  const sentence = conditionSentence(condition, types?.[alert.condition_type]?.human_name);
  const key = Object.entries(alert.key);
  return (
    <dl className={classes.facts}>
      <dt>{texts.condition}</dt>
      <dd>
        {/* Definitions that watch no or several streams are not among the conditions of streams. */}
        {alert.stream_ids.length === 1 ? (
          <Link to="/alerts/conditions/$id" params={{ id: alert.condition_id }}>
            {sentence}
          </Link>
        ) : (
          sentence
        )}
      </dd>
      {key.map(([field, value]) => (
        <FactOfKey key={field} field={field} value={value} />
      ))}
      <dt>{texts.stream}</dt>
      <dd>
        {alert.stream_ids.length === 0 && listTexts.allMessages}
        {alert.stream_ids.map((id, at) => (
          <span key={id}>
            {at > 0 && ', '}
            <Link to="/streams/$id/alerts" params={{ id }}>
              <bdi>{titles[id] ?? id}</bdi>
            </Link>
          </span>
        ))}
      </dd>
      <dt>{texts.began}</dt>
      <dd>
        <Timestamp value={alert.triggered_at} />
      </dd>
      {alert.resolved_at !== null && (
        <>
          <dt>{texts.ended}</dt>
          <dd>
            <Timestamp value={alert.resolved_at} />
          </dd>
        </>
      )}
    </dl>
  );
}

function FactOfKey({ field, value }: { readonly field: string; readonly value: string }) {
  return (
    <>
      <dt>{field}</dt>
      <dd>
        <bdi>{value}</bdi>
      </dd>
    </>
  );
}

/** From an hour before it on, with what would be an alert shaded. */
function Values({ alert }: { readonly alert: TriggeredAlert }) {
  const { data, error, refetch } = useQuery(alertValuesQuery(alert));
  return (
    <section className={classes.section} aria-label={texts.values}>
      <h2>{texts.values}</h2>
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {error === null && (
        <div className={classes.values}>
          {data !== undefined && data.points.length > 1 && <ValueCourse {...data} />}
          {data !== undefined && data.points.length <= 1 && <p className={classes.dim}>{texts.noValues}</p>}
        </div>
      )}
    </section>
  );
}

function WhoWasTold({ alertId }: { readonly alertId: string }) {
  const [page, setPage] = useState(1);
  const result = useQuery({
    ...alertDeliveriesQuery(alertId, page),
    refetchInterval: REFRESH_MS,
    meta: { isBackground: true },
  });
  const { data, error, refetch } = result;
  return (
    <section className={classes.section} aria-label={texts.deliveries}>
      <h2>{texts.deliveries}</h2>
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {data?.total === 0 && <EmptyState title={texts.noDeliveries}>{texts.noDeliveriesWhy}</EmptyState>}
      <Deliveries
        label={texts.deliveries}
        result={result}
        page={page}
        perPage={SHOWN_ALERTS}
        onPage={setPage}
        isOfOneAlert
      />
    </section>
  );
}
