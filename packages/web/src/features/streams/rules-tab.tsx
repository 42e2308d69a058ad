import { Button } from '@mantine/core';
import type { Stream } from '@millrace/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Conflict, isConflict } from '../../components/conflict.tsx';
import { InlineNotice } from '../../components/inline-notice.tsx';
import { LeaveQuestion } from '../../components/leave-question.tsx';
import { ApiError, call } from '../../lib/api/index.ts';
import { streamQuery, useChangeState } from './queries.ts';
import { changesOf, draftOf, type RuleChange, type RulesDraft, requestOf } from './rule-draft.ts';
import classes from './rules.module.css';
import { RulesWorkbench } from './rules-workbench.tsx';
import { SaveError } from './save-error.tsx';
import { useEditReason } from './stream-parts.tsx';
import { howMessagesGetIn, ruleTexts, texts } from './texts.ts';
import { problemsByRule } from './use-preview.ts';

/** The rules of a stream. One that is built in has none: messages get in otherwise. */
export function RulesTab({ stream }: { readonly stream: Stream }) {
  if (stream.is_editable) return <OwnRules stream={stream} />;
  return (
    <InlineNotice kind="info" title={texts.builtInNoChange}>
      {howMessagesGetIn(stream.id)}
    </InlineNotice>
  );
}

/** Changes wait until they are applied. */
function OwnRules({ stream }: { readonly stream: Stream }) {
  const [base, setBase] = useState(stream);
  const [draft, setDraft] = useState<RulesDraft>(() => draftOf(stream));
  const reason = useEditReason(stream);
  const save = useSaveRules(stream.id);
  const client = useQueryClient();
  const changes = changesOf(draftOf(base), draft);
  // Without changes of one's own, those of others are simply shown.
  if (stream !== base && changes.length === 0 && stream.revision !== base.revision) {
    setBase(stream);
    setDraft(draftOf(stream));
  }
  const startOver = (from: Stream) => {
    setBase(from);
    setDraft(draftOf(from));
    save.reset();
  };
  const reload = async () => startOver(await client.fetchQuery({ ...streamQuery(stream.id), staleTime: 0 }));
  const apply = (revision: string | undefined) =>
    save.mutate({ draft, revision }, { onSuccess: (saved) => startOver(saved) });
  return (
    <>
      <LeaveQuestion isUnsaved={changes.length > 0} what={ruleTexts.unsaved} />
      {reason !== undefined && <InlineNotice kind="info">{reason}</InlineNotice>}
      {stream.state === 'disabled' && <DisabledNotice stream={stream} hasChanges={changes.length > 0} />}
      <RulesWorkbench
        draft={draft}
        // What is stored replaces the draft soon: letters that are not taken are seen, letters that vanish are not.
        onChange={save.isPending ? () => undefined : setDraft}
        isReadOnly={reason !== undefined}
        problems={save.error instanceof ApiError ? problemsByRule(draft, save.error) : new Map()}
      >
        {changes.length > 0 && (
          <Changes
            changes={changes}
            isRunning={stream.state === 'running'}
            isBusy={save.isPending}
            onApply={() => apply(base.revision)}
            onDiscard={() => startOver(base)}
          />
        )}
        {isConflict(save.error) ? (
          <Conflict what="stream" onReload={reload} onOverwrite={() => apply(undefined)} />
        ) : (
          <SaveError error={save.error} />
        )}
      </RulesWorkbench>
    </>
  );
}

function useSaveRules(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ draft, revision }: { draft: RulesDraft; revision: string | undefined }) =>
      call('PUT /streams/{streamId}/rules', {
        path: { streamId: id },
        body: {
          matching_type: draft.matchingType,
          rules: draft.rules.map(requestOf),
          ...(revision === undefined ? {} : { revision }),
        },
      }),
    onSuccess: (saved) => client.setQueryData(streamQuery(id).queryKey, saved),
    onSettled: () => client.invalidateQueries({ queryKey: ['streams'] }),
  });
}

interface DisabledNoticeProps {
  readonly stream: Stream;
  readonly hasChanges: boolean;
}

function DisabledNotice({ stream, hasChanges }: DisabledNoticeProps) {
  const change = useChangeState();
  return (
    <InlineNotice
      kind="danger"
      title={ruleTexts.disabledTitle}
      actions={
        !hasChanges && (
          <Button loading={change.isPending} onClick={() => change.mutate(stream)}>
            Re-enable
          </Button>
        )
      }
    >
      {stream.state_reason}
    </InlineNotice>
  );
}

interface ChangesProps {
  readonly changes: readonly RuleChange[];
  readonly isRunning: boolean;
  readonly isBusy: boolean;
  readonly onApply: () => void;
  readonly onDiscard: () => void;
}

/** The difference to what is stored, and what makes it true. */
function Changes({ changes, isRunning, isBusy, onApply, onDiscard }: ChangesProps) {
  return (
    <section className={classes.changes} aria-label={ruleTexts.changes}>
      <div>
        <strong>{isRunning ? ruleTexts.changes : ruleTexts.changesPaused}</strong>
        <ul>
          {changes.map((change) => (
            <li key={changeText(change)}>
              <bdi>{changeText(change)}</bdi>
            </li>
          ))}
        </ul>
        <p className={classes.dim}>{ruleTexts.appliesToNew}</p>
      </div>
      <div className={classes.buttons}>
        <Button variant="filled" loading={isBusy} onClick={onApply}>
          {isRunning ? ruleTexts.apply : ruleTexts.save}
        </Button>
        <Button onClick={onDiscard}>{ruleTexts.discard}</Button>
      </div>
    </section>
  );
}

function changeText(change: RuleChange): string {
  switch (change.kind) {
    case 'matching':
      return ruleTexts.matchingNow(change.isAll);
    case 'added':
      return ruleTexts.added(change.rule);
    case 'removed':
      return ruleTexts.removed(change.rule);
    case 'changed':
      return ruleTexts.changed(change.before, change.after);
  }
}
