import { Button } from '@mantine/core';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { ChannelEntry } from '../../components/alerts/index.ts';
import { ConfirmDeletion } from '../../components/confirm-deletion.tsx';
import { DeleteSection } from '../../components/delete-section.tsx';
import { missingPermission, usePermissionReason } from '../../components/disabled.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { EntryList } from '../../components/entry-list.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { InlineNotice } from '../../components/inline-notice.tsx';
import { Page, PageHeader } from '../../components/page-header.tsx';
import { Held, useReadAgain } from '../../components/read-again.tsx';
import { StreamSelect } from '../../components/stream-select.tsx';
import { useCan } from '../../lib/account/index.ts';
import { callbackTypesQuery, notificationTypesQuery, useDeleteChannel } from '../../lib/alerts/index.ts';
import type { SearchParams } from '../../lib/url/index.ts';
import classes from './alerts.module.css';
import { ChannelForm } from './channel-form.tsx';
import { type Channel, channelQuery } from './channel-query.ts';
import { useEditableStreams } from './editable-streams.ts';
import { firstStream } from './first-stream.ts';
import { deliveryTexts as texts } from './texts.ts';

/** The choice of those that no stream has. */
const RULES = '*';

/** A new notification: `?s=` chooses its stream, `?type=` its type. */
export function NewChannelPage() {
  const search = useSearch({ strict: false }) as SearchParams;
  const navigate = useNavigate();
  const { owner, mayOfRules, error, retry } = useOwner(search.s);
  const streamId = owner === undefined || owner === RULES ? null : owner;
  const types = useQuery({
    ...(streamId === null ? notificationTypesQuery : callbackTypesQuery),
    // The form stays until those of the other kind are known.
    placeholderData: keepPreviousData,
  });
  const choose = (chosen: { readonly s: string; readonly type: string }) =>
    void navigate({
      to: '/alerts/notifications/new',
      search: chosen,
      replace: true,
      // What was typed stays for another type or stream.
      ignoreBlocker: true,
    });
  const all = Object.values(types.data ?? {});
  const type = all.find(({ type: name }) => name === search.type) ?? all[0];
  const back = () =>
    streamId === null
      ? void navigate({ to: '/alerts/notifications' })
      : void navigate({ to: '/streams/$id/alerts', params: { id: streamId } });
  return (
    <Page>
      <PageHeader title={texts.newTitle} about={texts.formAbout} />
      {error !== null && <ErrorNotice error={error} onRetry={retry} />}
      {types.error !== null && <ErrorNotice error={types.error} onRetry={() => void types.refetch()} />}
      {owner === null && <InlineNotice kind="info">{missingPermission('streams:edit')}</InlineNotice>}
      {typeof owner === 'string' && type !== undefined && (
        <ChannelForm
          type={type}
          types={all}
          // These are the types of the other kind still.
          isBusy={types.isPlaceholderData}
          streamId={streamId}
          onType={(chosen) => choose({ s: owner, type: chosen })}
          onSaved={back}
          onCancel={back}
        >
          <StreamSelect
            label={texts.stream}
            description={texts.streamHelp}
            needs="streams:edit"
            {...(mayOfRules && { always: [{ value: RULES, label: texts.rules }] })}
            value={owner}
            allowDeselect={false}
            onChange={(s) => s !== null && choose({ s, type: type.type })}
          />
        </ChannelForm>
      )}
    </Page>
  );
}

/**
 * What a notification is made for: the stream that was asked for, else one that the user may edit, else rules. Null if it
 * can be made for nothing, undefined until that is known.
 */
function useOwner(asked: string | undefined) {
  const mayOfRules = useCan('eventnotifications:create');
  const streams = asked === undefined || asked === RULES ? [] : [asked];
  const { ids, error, retry } = useEditableStreams(streams);
  const ofStream = ids !== undefined && ids.length > 0 ? firstStream(streams, ids) : undefined;
  const other = ids === undefined ? undefined : (ofStream ?? (mayOfRules ? RULES : null));
  return { owner: asked === RULES && mayOfRules ? RULES : other, mayOfRules, error, retry };
}

/** One notification, to be changed, tried and deleted. */
export function ChannelPage() {
  const { id = '' } = useParams({ strict: false });
  const { data: channel, error, refetch } = useQuery(channelQuery(id));
  if (channel === null) {
    return (
      <Page>
        <EmptyState
          isPage
          title={texts.notFound}
          action={
            <Button renderRoot={(props) => <Link to="/alerts/notifications" {...props} />}>
              {texts.all}
            </Button>
          }
        >
          {texts.notFoundWhy}
        </EmptyState>
      </Page>
    );
  }
  return (
    <Page>
      <PageHeader
        title={channel === undefined || channel.title === '' ? texts.editTitle : channel.title}
        about={texts.formAbout}
      />
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {channel !== undefined && <OneChannel key={id} channel={channel} />}
    </Page>
  );
}

function OneChannel({ channel }: { readonly channel: Channel }) {
  const { streamId } = channel;
  const navigate = useNavigate();
  const client = useQueryClient();
  // Another form begins with what the server made of it.
  const [form, setForm] = useState({ stored: channel, round: 0 });
  const begin = async () => {
    const stored = await client.fetchQuery({ ...channelQuery(channel.id), staleTime: 0 });
    if (stored !== null) setForm({ stored, round: form.round + 1 });
  };
  const saved = useReadAgain(begin);
  const {
    data: types,
    error,
    refetch,
  } = useQuery(streamId === null ? notificationTypesQuery : callbackTypesQuery);
  const type = types?.[channel.type];
  const ofStream = usePermissionReason('streams:edit', streamId ?? '');
  const ofRules = usePermissionReason('eventnotifications:edit', channel.id);
  const reason = streamId === null ? ofRules : ofStream;
  return (
    <>
      {reason !== undefined && <InlineNotice kind="info">{reason}</InlineNotice>}
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {types !== undefined && type === undefined && (
        <InlineNotice kind="warn">{texts.unknownType(channel.type)}</InlineNotice>
      )}
      {reason === undefined && type !== undefined && (
        <Held saved={saved}>
          <ChannelForm
            key={form.round}
            type={type}
            streamId={streamId}
            stored={form.stored}
            isAgain={form.round > 0}
            isBusy={saved.isPending}
            onSaved={saved.start}
            onReload={begin}
            onCancel={() => void navigate({ to: '/alerts/notifications' })}
          />
        </Held>
      )}
      {saved.notice}
      <section className={classes.section} aria-label={texts.test}>
        <h2>{texts.test}</h2>
        <p className={classes.dim}>{texts.testAbout}</p>
        <EntryList>
          <ChannelEntry id={channel.id} title={channel.title} type={type} streamId={streamId} isOwnPage />
        </EntryList>
      </section>
      <DeleteChannel channel={channel} />
    </>
  );
}

function DeleteChannel({ channel: { id, title, streamId } }: { readonly channel: Channel }) {
  const navigate = useNavigate();
  const ofStream = usePermissionReason('streams:edit', streamId ?? '');
  const ofRules = usePermissionReason('eventnotifications:delete', id);
  const remove = useDeleteChannel(streamId);
  return (
    <DeleteSection
      heading={texts.deleteHeading}
      label={texts.delete}
      reason={streamId === null ? ofRules : ofStream}
    >
      {(close) => (
        <ConfirmDeletion
          question={texts.deleteQuestion(title)}
          action={texts.delete}
          remove={remove}
          id={id}
          deleted={texts.deleted}
          // Nobody wants to save what they have just deleted.
          onDone={() => void navigate({ to: '/alerts/notifications', replace: true, ignoreBlocker: true })}
          onCancel={close}
        />
      )}
    </DeleteSection>
  );
}
