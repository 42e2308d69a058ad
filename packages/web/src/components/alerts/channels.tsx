import { Button } from '@mantine/core';
import type { NotificationTypeView } from '@millrace/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { callbackTypesQuery, sendTest, streamChannelsQuery } from '../../lib/alerts/index.ts';
import { helpOf } from '../../lib/help/index.ts';
import { Disabled, usePermissionReason } from '../disabled.tsx';
import { EmptyState } from '../empty-state.tsx';
import { Entry, EntryList } from '../entry-list.tsx';
import { ErrorNotice } from '../error-notice.tsx';
import { InlineNotice } from '../inline-notice.tsx';
import { StateBadge } from '../state-badge.tsx';
import classes from './alerts.module.css';
import { channelTexts as texts } from './texts.ts';

export interface StreamChannelsProps {
  readonly streamId: string;
  /** Something is not saved yet: new ones are made afterwards. */
  readonly isLater?: boolean;
}

/** Who is told about the alerts of a stream. */
export function StreamChannels({ streamId, isLater = false }: StreamChannelsProps) {
  const reason = usePermissionReason('streams:edit', streamId, texts.thisStream);
  const { data: channels, error, refetch } = useQuery(streamChannelsQuery(streamId));
  const { data: types } = useQuery(callbackTypesQuery);
  const add = (
    <Disabled reason={reason}>
      <Button
        {...(reason === undefined && {
          renderRoot: (props: object) => (
            <Link to="/alerts/notifications/new" search={{ s: streamId }} {...props} />
          ),
        })}
      >
        {texts.add}
      </Button>
    </Disabled>
  );
  return (
    <section className={classes.section} aria-label={texts.heading}>
      <div className={classes.heading}>
        <h2>{texts.heading}</h2>
        {channels !== undefined && channels.length > 0 && !isLater && add}
      </div>
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {channels?.length === 0 && isLater && <p className={classes.dim}>{texts.noneYet}</p>}
      {channels?.length === 0 && !isLater && (
        <EmptyState title={texts.none} action={add}>
          {texts.noneWhy}
        </EmptyState>
      )}
      {channels !== undefined && channels.length > 0 && <p className={classes.dim}>{texts.about}</p>}
      <EntryList>
        {channels?.map(({ id, title, type }) => (
          <ChannelEntry key={id} id={id} title={title ?? ''} type={types?.[type]} streamId={streamId} />
        ))}
      </EntryList>
    </section>
  );
}

export interface ChannelEntryProps {
  readonly id: string;
  readonly title: string;
  readonly type: NotificationTypeView | undefined;
  /** Null for one that rules name. */
  readonly streamId: string | null;
  /** Where it belongs to, in a list of all. */
  readonly about?: string | undefined;
  /** It stands on the page where it is changed. */
  readonly isOwnPage?: boolean;
}

/** A notification: where it sends to, whether it can, and a test of it. */
export function ChannelEntry({ id, title, type, streamId, about, isOwnPage = false }: ChannelEntryProps) {
  const ofStream = usePermissionReason('streams:edit', streamId ?? '', texts.thisStream);
  const ofRules = usePermissionReason('eventnotifications:edit', id, texts.thisNotification);
  const reason = streamId === null ? ofRules : ofStream;
  const test = useMutation({ mutationFn: () => sendTest(id, streamId) });
  return (
    <Entry
      state={<ChannelState isOff={type?.is_enabled === false} hasFailed={test.isError} />}
      actions={
        <>
          <Disabled reason={reason}>
            <Button size="xs" loading={test.isPending} onClick={() => test.mutate()}>
              {texts.sendTest}
            </Button>
          </Disabled>
          {!isOwnPage && <EditButton id={id} reason={reason} />}
        </>
      }
    >
      <strong className={classes.title}>
        <bdi>{title === '' ? texts.untitled : title}</bdi>
      </strong>
      <p className={classes.dim}>{[type?.name, about].filter(Boolean).join(', ')}</p>
      {type !== undefined && <MailIsOff type={type} />}
      {test.isSuccess && <InlineNotice kind="ok">{texts.sent}</InlineNotice>}
      {test.error !== null && <ErrorNotice error={test.error} />}
    </Entry>
  );
}

/** That it is on says nothing about whoever is told: only a test does. */
function ChannelState({ isOff, hasFailed }: { readonly isOff: boolean; readonly hasFailed: boolean }) {
  if (isOff) return <StateBadge tone="warn">{texts.off}</StateBadge>;
  if (hasFailed) return <StateBadge tone="danger">{texts.testFailed}</StateBadge>;
  return <StateBadge tone="ok">{texts.on}</StateBadge>;
}

function EditButton({ id, reason }: { readonly id: string; readonly reason: string | undefined }) {
  return (
    <Disabled reason={reason}>
      <Button
        size="xs"
        {...(reason === undefined && {
          renderRoot: (props: object) => <Link to="/alerts/notifications/$id" params={{ id }} {...props} />,
        })}
      >
        {texts.edit}
      </Button>
    </Disabled>
  );
}

/** Says so where a type needs something of the operator first. */
export function MailIsOff({ type }: { readonly type: NotificationTypeView }) {
  if (type.is_enabled) return null;
  const isMail = /email/i.test(type.type);
  const how = (
    <a href={helpOf('/alerts/notifications')} target="_blank" rel="noopener">
      {texts.how}
    </a>
  );
  return (
    <InlineNotice kind="warn" actions={how}>
      {isMail ? texts.mailOff : texts.typeOff}
    </InlineNotice>
  );
}
