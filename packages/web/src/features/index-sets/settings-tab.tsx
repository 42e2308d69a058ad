import { Button } from '@mantine/core';
import type { IndexSetView } from '@millrace/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ConfirmDeletion } from '../../components/confirm-deletion.tsx';
import { ConfirmInline } from '../../components/confirm-inline.tsx';
import { DeleteSection } from '../../components/delete-section.tsx';
import { Disabled, usePermissionReason } from '../../components/disabled.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { InlineNotice } from '../../components/inline-notice.tsx';
import { toast } from '../../components/toast.ts';
import { isSame } from '../../lib/forms/index.ts';
import { foundStreamsQuery } from '../../lib/streams/index.ts';
import classes from './index-sets.module.css';
import {
  setQuery,
  setStatsQuery,
  strategiesQuery,
  useChangeSet,
  useDeleteSet,
  useMakeDefault,
} from './queries.ts';
import { storedValues } from './set-fields.ts';
import { type SetDraft, SetForm } from './set-form.tsx';
import { texts } from './texts.ts';
import { WritableSection } from './writable-section.tsx';

export function SettingsTab({ set }: { readonly set: IndexSetView }) {
  const { data: strategies, error, refetch } = useQuery(strategiesQuery);
  const reason = usePermissionReason('indexsets:edit', set.id, texts.thisSet);
  const [first, setFirst] = useState({ set, round: 0 });
  // The form keeps what it began with: what others change meanwhile is met when it is saved. What it does not show, such
  // as what the switch below changes, is nothing to keep.
  const base = isSame(storedValues(set), storedValues(first.set)) ? set : first.set;
  return (
    <>
      {reason !== undefined && <InlineNotice kind="info">{reason}</InlineNotice>}
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {strategies !== undefined && (
        <EditForm
          key={first.round}
          base={base}
          isAgain={first.round > 0}
          strategies={strategies}
          reason={reason}
          onBase={(from) => setFirst(({ round }) => ({ set: from, round: round + 1 }))}
        />
      )}
      <DefaultSection set={set} reason={reason} />
      <WritableSection set={set} reason={reason} />
      <DeleteSet set={set} />
    </>
  );
}

interface EditFormProps {
  readonly base: IndexSetView;
  /** It was saved, or read again. */
  readonly isAgain: boolean;
  readonly strategies: Parameters<typeof SetForm>[0]['strategies'];
  readonly reason: string | undefined;
  /** It was saved, or read again: another form begins with that. */
  readonly onBase: (set: IndexSetView) => void;
}

function EditForm({ base, isAgain, strategies, reason, onBase }: EditFormProps) {
  const change = useChangeSet(base.id);
  const client = useQueryClient();
  const theirs = () => client.fetchQuery({ ...setQuery(base.id), staleTime: 0 });
  const save = (wanted: SetDraft, onto: IndexSetView) =>
    change.mutate(
      // Strategies that the form names apply, whatever applied before; without them it stays as it is.
      {
        ...onto,
        ...wanted,
        ...(wanted.rotation_strategy_class !== undefined && { use_legacy_rotation: true }),
      },
      {
        onSuccess: (saved) => {
          toast(texts.saved(saved.title));
          onBase(saved);
        },
      },
    );
  return (
    <SetForm
      set={base}
      strategies={strategies}
      noSubmitReason={reason}
      error={change.error}
      isBusy={change.isPending}
      isSaved={change.isSuccess}
      isAgain={isAgain}
      onSubmit={(wanted) => save(wanted, base)}
      conflict={{
        onReload: async () => onBase(await theirs()),
        // What was not changed here stays as theirs: nobody was asked about it.
        onOverwrite: async (wanted) => save(wanted, await theirs()),
      }}
    />
  );
}

function DefaultSection({
  set,
  reason,
}: {
  readonly set: IndexSetView;
  readonly reason: string | undefined;
}) {
  const [isAsking, setAsking] = useState(false);
  const make = useMakeDefault();
  const noDefault = reason ?? (set.can_be_default ? undefined : texts.cannotBeDefault);
  return (
    <section className={classes.section} aria-label={texts.defaultHeading}>
      <h2>{texts.defaultHeading}</h2>
      {set.default && <p>{texts.isDefaultText}</p>}
      {!set.default && !isAsking && (
        <Disabled reason={noDefault}>
          <Button className={classes.start} onClick={() => setAsking(true)}>
            {texts.makeDefault}
          </Button>
        </Disabled>
      )}
      {!set.default && isAsking && (
        <ConfirmInline
          question={texts.defaultQuestion(set.title)}
          action={texts.makeDefault}
          isBusy={make.isPending}
          onConfirm={() =>
            make.mutate(set.id, {
              onSuccess: () => {
                toast(texts.madeDefault(set.title));
                setAsking(false);
              },
            })
          }
          onCancel={() => setAsking(false)}
        />
      )}
      {make.error !== null && <ErrorNotice error={make.error} />}
    </section>
  );
}

const FEW_STREAMS = 5;

/** Why the index set cannot be deleted; nothing when it can. */
function useDeletionReason(set: IndexSetView): string | undefined {
  const noPermission = usePermissionReason('indexsets:delete', set.id, texts.thisSet);
  const { data } = useQuery(foundStreamsQuery({ indexSetId: set.id, count: FEW_STREAMS }));
  if (set.is_built_in) return texts.builtInStays;
  if (set.default) return texts.defaultStays;
  if (data !== undefined && data.total > 0) {
    const named = data.streams.map(({ title }) => title);
    return texts.usedBy(named, data.total - named.length);
  }
  return noPermission;
}

function DeleteSet({ set }: { readonly set: IndexSetView }) {
  const navigate = useNavigate();
  const remove = useDeleteSet();
  const { data: stats } = useQuery(setStatsQuery(set.id));
  return (
    <DeleteSection heading={texts.deleteHeading} label={texts.deleteSet} reason={useDeletionReason(set)}>
      {(close) => (
        <ConfirmDeletion
          question={texts.deleteSetQuestion(set.title, stats?.indices ?? 0, stats?.documents)}
          action={texts.deleteSet}
          typeToConfirm={set.index_prefix}
          remove={remove}
          id={set.id}
          deleted={texts.deletingSet(set.title)}
          // Nobody wants to save what they have just deleted.
          onDone={() => void navigate({ to: '/index-sets', replace: true, ignoreBlocker: true })}
          onCancel={close}
        />
      )}
    </DeleteSection>
  );
}
