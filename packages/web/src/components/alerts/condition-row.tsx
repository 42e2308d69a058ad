import { Button } from '@mantine/core';
import type { AlertConditionView, ConditionTest } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { conditionSentence, conditionTypesQuery, useAlertMutation } from '../../lib/alerts/index.ts';
import { call } from '../../lib/api/index.ts';
import { parseInstant, useNow } from '../../lib/time/index.ts';
import { ConfirmInline } from '../confirm-inline.tsx';
import { Disabled, usePermissionReason } from '../disabled.tsx';
import { Entry } from '../entry-list.tsx';
import { ErrorNotice } from '../error-notice.tsx';
import { InlineNotice } from '../inline-notice.tsx';
import { StateBadge, type StateTone } from '../state-badge.tsx';
import classes from './alerts.module.css';
import { texts } from './texts.ts';

const MUTE_MINUTES = 60;

interface ConditionRowProps {
  readonly condition: AlertConditionView;
  readonly isAlerting: boolean;
  /** Named where conditions of several streams stand together. */
  readonly streamTitle?: string | undefined;
}

/** A condition as a sentence, its state, and what can be done with it. */
export function ConditionRow({ condition, isAlerting, streamTitle }: ConditionRowProps) {
  const reason = usePermissionReason('streams:edit', condition.stream_id, texts.thisStream);
  const [isAsking, setAsking] = useState(false);
  const { data: types } = useQuery(conditionTypesQuery);
  const path = { streamId: condition.stream_id, conditionId: condition.id };
  const test = useAlertMutation(() =>
    call('POST /streams/{streamId}/alerts/conditions/{conditionId}/test', { path }),
  );
  const mute = useAlertMutation((minutes: number) =>
    call('PUT /streams/{streamId}/alerts/conditions/{conditionId}/mute', { path, body: { minutes } }),
  );
  const remove = useAlertMutation(() =>
    call('DELETE /streams/{streamId}/alerts/conditions/{conditionId}', { path }),
  );
  const now = useNow();
  const isMuted = isLater(condition.state.muted_until, now);
  const state = stateOf(condition, isAlerting, isMuted);
  const sentence = conditionSentence(condition, types?.[condition.type]?.human_name);
  const error = test.error ?? mute.error ?? remove.error;
  return (
    <Entry
      state={<StateBadge tone={state.tone}>{state.word}</StateBadge>}
      actions={
        <>
          <Disabled reason={reason}>
            <Button size="xs" loading={test.isPending} onClick={() => test.mutate(undefined)}>
              {texts.test}
            </Button>
          </Disabled>
          <Disabled reason={reason}>
            <Button size="xs" onClick={() => mute.mutate(isMuted ? 0 : MUTE_MINUTES)}>
              {isMuted ? texts.unmute : texts.mute}
            </Button>
          </Disabled>
          <Disabled reason={reason}>
            <Button
              size="xs"
              renderRoot={(props) => (
                <Link to="/alerts/conditions/$id" params={{ id: condition.id }} {...props} />
              )}
            >
              {texts.edit}
            </Button>
          </Disabled>
          <Disabled reason={reason}>
            <Button size="xs" color="danger" onClick={() => setAsking(true)}>
              {texts.delete}
            </Button>
          </Disabled>
        </>
      }
    >
      {condition.title !== null && (
        <strong className={classes.title}>
          <bdi>{condition.title}</bdi>
        </strong>
      )}
      <p>{sentence}</p>
      {streamTitle !== undefined && (
        <p className={classes.dim}>
          <bdi>{streamTitle}</bdi>
        </p>
      )}
      {condition.state.last_error !== null && (
        <InlineNotice kind="warn" title={texts.failing(condition.state.failures)}>
          {condition.state.last_error}
        </InlineNotice>
      )}
      {test.data !== undefined && <TestResult result={test.data} />}
      {error !== null && <ErrorNotice error={error} />}
      {isAsking && (
        <ConfirmInline
          question={texts.deleteQuestion(condition.title ?? sentence)}
          action={texts.delete}
          isBusy={remove.isPending}
          onConfirm={() => remove.mutate(undefined)}
          onCancel={() => setAsking(false)}
        />
      )}
    </Entry>
  );
}

function isLater(time: string | null, now: number): boolean {
  return time !== null && (parseInstant(time) ?? 0) > now;
}

function stateOf(
  { state, in_grace: isInGrace }: AlertConditionView,
  isAlerting: boolean,
  isMuted: boolean,
): { readonly tone: StateTone; readonly word: string } {
  if (!state.enabled) return { tone: 'dim', word: texts.off };
  if (isMuted) return { tone: 'dim', word: texts.muted };
  if (isAlerting) return { tone: 'danger', word: texts.alerting };
  if (isInGrace) return { tone: 'info', word: texts.grace };
  return { tone: state.failures > 0 ? 'warn' : 'ok', word: texts.watching };
}

function TestResult({ result }: { readonly result: ConditionTest }) {
  if (result.error) {
    return (
      <InlineNotice kind="danger">
        {result.error_messages.map(({ message }) => message).join(' ')}
      </InlineNotice>
    );
  }
  return (
    <InlineNotice
      kind={result.triggered ? 'warn' : 'ok'}
      title={result.triggered ? texts.triggered : texts.notTriggered}
    >
      {result.description}
    </InlineNotice>
  );
}
