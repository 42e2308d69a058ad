import { Button } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { Disabled, missingPermission } from '../../components/disabled.tsx';
import { Page, PageHeader } from '../../components/page-header.tsx';
import { toast } from '../../components/toast.ts';
import { useCan } from '../../lib/account/index.ts';
import { ApiError } from '../../lib/api/index.ts';
import { isComplete } from '../../lib/stream-rules/index.ts';
import type { SearchParams } from '../../lib/url/index.ts';
import { Comparison, Remarks } from './from-search.tsx';
import { readSource } from './new-params.ts';
import { useCreateStream } from './queries.ts';
import { newRule, type RulesDraft, requestOf } from './rule-draft.ts';
import classes from './rules.module.css';
import { RulesWorkbench } from './rules-workbench.tsx';
import { SaveError } from './save-error.tsx';
import { MoreFields, type StreamSettings, TitleField } from './settings-fields.tsx';
import { ruleTexts, texts } from './texts.ts';
import { problemsByRule } from './use-preview.ts';

const NO_SETTINGS: StreamSettings = { title: '', description: '', indexSetId: '', removeMatches: false };

/** A new stream, empty or made from a search: `?q=&s=&t=`. */
export function NewStreamPage() {
  const params = useSearch({ strict: false }) as SearchParams;
  const [source] = useState(() => readSource(params));
  const [settings, setSettings] = useState(NO_SETTINGS);
  const [draft, setDraft] = useState<RulesDraft>(() => firstDraft(source));
  const [isTried, setTried] = useState(false);
  const create = useCreateStream();
  const navigate = useNavigate();
  const mayCreate = useCan('streams:create');
  const isUntitled = settings.title.trim() === '';
  const save = (isStarted: boolean) => {
    setTried(true);
    if (isUntitled) return;
    create.mutate(
      { body: requestFor(settings, draft), isStarted },
      {
        onSuccess: (id) => {
          if (isStarted) toast(ruleTexts.started(settings.title.trim()));
          void navigate({ to: '/streams/$id/rules', params: { id }, replace: true });
        },
      },
    );
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save(true);
  };
  const reason = mayCreate ? undefined : missingPermission('streams:create');
  const fields = { values: settings, onChange: setSettings };
  return (
    <Page>
      <PageHeader title={ruleTexts.newTitle} about={ruleTexts.newAbout} />
      <form className={classes.form} data-wide="true" onSubmit={submit} noValidate>
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
            <Disabled reason={reason}>
              <Button type="submit" variant="filled" loading={create.isPending}>
                {ruleTexts.saveAndStart}
              </Button>
            </Disabled>
            <Disabled reason={reason}>
              <Button onClick={() => save(false)}>{ruleTexts.savePaused}</Button>
            </Disabled>
          </div>
        </RulesWorkbench>
      </form>
    </Page>
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
