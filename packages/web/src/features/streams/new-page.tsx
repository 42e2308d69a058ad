import { Button } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { usePermissionReason } from '../../components/disabled.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { LeaveQuestion } from '../../components/leave-question.tsx';
import { Page, PageHeader } from '../../components/page-header.tsx';
import { toast } from '../../components/toast.ts';
import { ApiError } from '../../lib/api/index.ts';
import { isComplete } from '../../lib/stream-rules/index.ts';
import type { SearchParams } from '../../lib/url/index.ts';
import { useOneAtATime } from '../../lib/use-one-at-a-time.ts';
import { Comparison, Remarks } from './from-search.tsx';
import { readSource } from './new-params.ts';
import { useCreateStream } from './queries.ts';
import { changesOf, newRule, type RulesDraft, requestOf } from './rule-draft.ts';
import classes from './rules.module.css';
import { RulesWorkbench } from './rules-workbench.tsx';
import { SaveError } from './save-error.tsx';
import { isSameSettings, MoreFields, type StreamSettings, TitleField } from './settings-fields.tsx';
import { ruleTexts, texts } from './texts.ts';
import { problemsByRule } from './use-preview.ts';

const NO_SETTINGS: StreamSettings = { title: '', description: '', indexSetId: '', removeMatches: false };

/** A new stream, empty or made from a search: `?q=&s=&t=`. */
export function NewStreamPage() {
  const reason = usePermissionReason('streams:create');
  return (
    <Page>
      <PageHeader title={ruleTexts.newTitle} about={ruleTexts.newAbout} />
      {reason === undefined ? <NewStreamForm /> : <EmptyState title={reason} />}
    </Page>
  );
}

function NewStreamForm() {
  const params = useSearch({ strict: false }) as SearchParams;
  const [source] = useState(() => readSource(params));
  const [settings, setSettings] = useState(NO_SETTINGS);
  const [first] = useState(() => firstDraft(source));
  const [draft, setDraft] = useState<RulesDraft>(first);
  const [isTried, setTried] = useState(false);
  const create = useCreateStream();
  const [isSending, oneAtATime] = useOneAtATime();
  const navigate = useNavigate();
  const isUntitled = settings.title.trim() === '';
  const save = (isStarted: boolean) => {
    setTried(true);
    if (isUntitled) return;
    void oneAtATime(async () =>
      create.mutate(
        { body: requestFor(settings, draft), isStarted },
        {
          onSuccess: (id) => {
            if (isStarted) toast(ruleTexts.started(settings.title.trim()));
            void navigate({ to: '/streams/$id/rules', params: { id }, replace: true, ignoreBlocker: true });
          },
        },
      ),
    );
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save(true);
  };
  const fields = { values: settings, onChange: setSettings };
  const isTyped = !isSameSettings(settings, NO_SETTINGS) || changesOf(first, draft).length > 0;
  return (
    <form className={classes.form} data-wide="true" onSubmit={submit} noValidate>
      <LeaveQuestion
        isUnsaved={isTyped && !create.isPending && !create.isSuccess}
        what={ruleTexts.unsavedNew}
      />
      <div className={classes.titleField}>
        <TitleField {...fields} isNew titleProblem={isTried && isUntitled ? texts.untitled : undefined} />
      </div>
      {source !== undefined && <Remarks rules={source.rules} streams={source.streamRemarks} />}
      <RulesWorkbench
        draft={draft}
        onChange={setDraft}
        problems={create.error instanceof ApiError ? problemsByRule(draft, create.error) : new Map()}
        ownRange={source?.range}
        {...(source !== undefined && {
          compare: (preview, range) => (
            <Comparison query={source.query} streams={source.streams} preview={preview} range={range} />
          ),
        })}
      >
        <details className={classes.more}>
          <summary>{ruleTexts.settingsTab}</summary>
          <MoreFields {...fields} />
        </details>
        <SaveError error={create.error} />
        <div className={classes.buttons}>
          <Button type="submit" variant="filled" loading={create.isPending || isSending}>
            {ruleTexts.saveAndStart}
          </Button>
          <Button loading={create.isPending || isSending} onClick={() => save(false)}>
            {ruleTexts.savePaused}
          </Button>
        </div>
      </RulesWorkbench>
    </form>
  );
}

function firstDraft(source: ReturnType<typeof readSource>): RulesDraft {
  if (source === undefined) return { matchingType: 'AND', rules: [newRule()] };
  return { matchingType: source.rules.matchingType, rules: source.rules.rules.map(newRule) };
}

/** A rule that was never filled in is no rule. */
function requestFor(settings: StreamSettings, draft: RulesDraft) {
  const isTouched = (rule: RulesDraft['rules'][number]) =>
    isComplete(rule) || rule.field.trim() !== '' || rule.value !== '';
  return {
    title: settings.title.trim(),
    description: settings.description,
    matching_type: draft.matchingType,
    rules: draft.rules.filter(isTouched).map(requestOf),
    remove_matches_from_default_stream: settings.removeMatches,
    ...(settings.indexSetId === '' ? {} : { index_set_id: settings.indexSetId }),
  };
}
