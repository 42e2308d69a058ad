import { Button } from '@mantine/core';
import type { IndexSetView } from '@millrace/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ConfirmInline } from '../../components/confirm-inline.tsx';
import { Conflict, isConflict } from '../../components/conflict.tsx';
import { Disabled, usePermissionReason } from '../../components/disabled.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { InlineNotice } from '../../components/inline-notice.tsx';
import { toast } from '../../components/toast.ts';
import classes from './index-sets.module.css';
import {
  setQuery,
  setsQuery,
  strategiesQuery,
  streamsQuery,
  useChangeSet,
  useDeleteSet,
  useMakeDefault,
} from './queries.ts';
import { type SetDraft, SetForm } from './set-form.tsx';
import { texts } from './texts.ts';
import { WritableSection } from './writable-section.tsx';

export function SettingsTab({ set }: { readonly set: IndexSetView }) {
  const { data: strategies, error, refetch } = useQuery(strategiesQuery);
  const reason = usePermissionReason('indexsets:edit', set.id, texts.thisSet);
  return (
    <>
      {reason !== undefined && <InlineNotice kind="info">{reason}</InlineNotice>}
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {strategies !== undefined && (
        // The switch below changes the same thing: the form goes on from there.
        <EditForm key={String(set.writable)} set={set} strategies={strategies} reason={reason} />
      )}
      <DefaultSection set={set} reason={reason} />
      <WritableSection set={set} reason={reason} />
      <DeleteSection set={set} />
    </>
  );
}

interface EditFormProps {
  readonly set: IndexSetView;
  readonly strategies: Parameters<typeof SetForm>[0]['strategies'];
  readonly reason: string | undefined;
}

/** Keeps what it began with: what others change meanwhile is met when it is saved. */
function EditForm({ set, strategies, reason }: EditFormProps) {
  const [base, setBase] = useState(set);
  const [draft, setDraft] = useState<SetDraft>();
  const change = useChangeSet(set.id);
  const client = useQueryClient();
  const startOver = (from: IndexSetView) => {
    setBase(from);
    change.reset();
  };
  const theirs = useMutation({
    mutationFn: () => client.fetchQuery({ ...setQuery(set.id), staleTime: 0 }),
  });
  const save = (wanted: SetDraft, onto: IndexSetView) => {
    setDraft(wanted);
    change.mutate(
      // The form names the strategies that apply, whatever they followed from.
      { ...onto, ...wanted, use_legacy_rotation: true },
      {
        onSuccess: (saved) => {
          toast(texts.saved(saved.title));
          startOver(saved);
        },
      },
    );
  };
  return (
    <>
      <SetForm
        key={base.revision}
        set={base}
        strategies={strategies}
        noSubmitReason={reason}
        error={isConflict(change.error) ? null : change.error}
        isBusy={change.isPending}
        onSubmit={(wanted) => save(wanted, base)}
      />
      {isConflict(change.error) && draft !== undefined && (
        <Conflict
          what="index set"
          onReload={() => theirs.mutate(undefined, { onSuccess: startOver })}
          // What was not changed here stays as theirs: nobody was asked about it.
          onOverwrite={() => theirs.mutate(undefined, { onSuccess: (stored) => save(draft, stored) })}
        />
      )}
      {theirs.error !== null && <ErrorNotice error={theirs.error} />}
    </>
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
  const { data } = useQuery(streamsQuery);
  if (set.is_built_in) return texts.builtInStays;
  if (set.default) return texts.defaultStays;
  const users = (data?.streams ?? []).filter((stream) => stream.index_set_id === set.id);
  if (users.length > 0) {
    const named = users.slice(0, FEW_STREAMS).map(({ title }) => title);
    return texts.usedBy(named, users.length - named.length);
  }
  return noPermission;
}

function DeleteSection({ set }: { readonly set: IndexSetView }) {
  const [isAsking, setAsking] = useState(false);
  const navigate = useNavigate();
  const remove = useDeleteSet();
  const { data } = useQuery(setsQuery);
  const stats = data?.stats[set.id];
  const reason = useDeletionReason(set);
  const confirm = () =>
    remove.mutate(set.id, {
      onSuccess: () => {
        toast(texts.deletingSet(set.title));
        void navigate({ to: '/index-sets', replace: true });
      },
    });
  return (
    <section className={classes.section} aria-label={texts.deleteHeading}>
      <h2>{texts.deleteHeading}</h2>
      {isAsking ? (
        <ConfirmInline
          question={texts.deleteSetQuestion(set.title, stats?.indices ?? 0, stats?.documents)}
          action={texts.deleteSet}
          typeToConfirm={set.index_prefix}
          isBusy={remove.isPending}
          onConfirm={confirm}
          onCancel={() => setAsking(false)}
        />
      ) : (
        <Disabled reason={reason}>
          <Button className={classes.start} color="danger" onClick={() => setAsking(true)}>
            {texts.deleteSet}
          </Button>
        </Disabled>
      )}
      {remove.error !== null && <ErrorNotice error={remove.error} />}
    </section>
  );
}
