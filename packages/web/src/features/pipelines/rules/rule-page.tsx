import { Button } from '@mantine/core';
import type { PipelineRuleView } from '@millrace/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { DeleteSection } from '../../../components/delete-section.tsx';
import { usePermissionReason } from '../../../components/disabled.tsx';
import { InlineNotice } from '../../../components/inline-notice.tsx';
import { OneOrWhyNot } from '../../../components/one-or-why-not.tsx';
import { Page, PageHeader } from '../../../components/page-header.tsx';
import { RuleEditor } from '../../../components/rule-editor.tsx';
import { useCan } from '../../../lib/account/index.ts';
import classes from '../pipelines.module.css';
import { ruleQuery, useSaveRule } from '../queries.ts';
import { SaveBar } from '../save-bar.tsx';
import { useSourceDraft } from '../source-draft.ts';
import { ruleTexts, texts } from '../texts.ts';
import { TrialPanel } from '../trial/trial-panel.tsx';
import { DeleteRuleQuestion } from './delete-rule.tsx';
import { useRuleProblems, useRuleWords } from './use-rule-problems.ts';

/** Something that can be saved and tried at once. */
const NEW_RULE = `rule "new rule"
when
  has_field("message")
then
  // What happens to the message, for example:
  // set_field("service", "shop");
end`;

export function NewRulePage() {
  const reason = usePermissionReason('pipeline_rule:create');
  return (
    <Page>
      <PageHeader title={ruleTexts.newRule} about={ruleTexts.newAbout} />
      {reason === undefined ? (
        <RuleWorkbench rule={undefined} reason={undefined} />
      ) : (
        <InlineNotice kind="info">{reason}</InlineNotice>
      )}
    </Page>
  );
}

export function RulePage() {
  const { id = '' } = useParams({ strict: false });
  const result = useQuery(ruleQuery(id));
  return (
    <OneOrWhyNot
      result={result}
      notFound={ruleTexts.notFound}
      notFoundWhy={ruleTexts.notFoundWhy}
      listPath="/pipelines/rules"
      toList={ruleTexts.showAll}
    >
      {(rule) => <OneRule key={id} rule={rule} />}
    </OneOrWhyNot>
  );
}

function OneRule({ rule }: { readonly rule: PipelineRuleView }) {
  const id = rule.id ?? '';
  const navigate = useNavigate();
  const reason = usePermissionReason('pipeline_rule:edit', id, ruleTexts.thisRule);
  const toList = () => void navigate({ to: '/pipelines/rules', replace: true, ignoreBlocker: true });
  return (
    <Page>
      <PageHeader title={rule.title} about={<UsedBy rule={rule} />} />
      {reason !== undefined && <InlineNotice kind="info">{reason}</InlineNotice>}
      {rule.disabled_reason !== null && (
        <InlineNotice kind="danger" title={ruleTexts.doesNotRun}>
          {ruleTexts.whyDisabled(rule.disabled_reason)}
        </InlineNotice>
      )}
      <RuleWorkbench rule={rule} reason={reason} />
      <DeleteSection
        heading={ruleTexts.deleteHeading}
        label={texts.delete}
        reason={usePermissionReason('pipeline_rule:delete', id, ruleTexts.thisRule)}
      >
        {(close) => <DeleteRuleQuestion rule={rule} onDone={toList} onCancel={close} />}
      </DeleteSection>
    </Page>
  );
}

function UsedBy({ rule: { used_in_pipelines: used } }: { readonly rule: PipelineRuleView }) {
  const seesAll = useCan('pipeline:read');
  if (used.length === 0) return ruleTexts.unusedAbout(seesAll);
  return (
    <span className={classes.usedBy}>
      {ruleTexts.usedBy}
      {used.map(({ id, title, stages }) => (
        <Link key={id} to="/pipelines/$id" params={{ id }} title={title}>
          <bdi>{title}</bdi> {ruleTexts.inStages(stages)}
        </Link>
      ))}
    </span>
  );
}

interface RuleWorkbenchProps {
  /** Undefined: a new one. */
  readonly rule: PipelineRuleView | undefined;
  /** Why it may not be changed. */
  readonly reason: string | undefined;
}

/** The editor at one side, what the rule does to messages at the other. */
function RuleWorkbench({ rule, reason }: RuleWorkbenchProps) {
  const id = rule?.id ?? undefined;
  const navigate = useNavigate();
  const client = useQueryClient();
  const draft = useSourceDraft({
    stored: rule,
    initial: NEW_RULE,
    saving: useSaveRule(id),
    onSaved: (saved) => {
      const params = { id: saved.id ?? '' };
      if (id === undefined)
        void navigate({ to: '/pipelines/rules/$id', params, replace: true, ignoreBlocker: true });
    },
    read: () => client.fetchQuery({ ...ruleQuery(id ?? ''), staleTime: 0 }),
  });
  const words = useRuleWords();
  const found = useRuleProblems(draft.source, reason === undefined);
  const problems = found.length > 0 ? found : draft.refused;
  const [runsAll, setRunsAll] = useState(false);
  const isStored = rule !== undefined && draft.source === rule.source && rule.disabled_reason === null;
  const alone = isStored ? { rule_id: rule.id ?? '' } : { rule_source: draft.source };
  const together = isStored ? {} : { with_rules: [draft.source] };
  return (
    <div className={classes.workbench}>
      <section className={classes.column} aria-label={ruleTexts.source}>
        <RuleEditor
          label={ruleTexts.source}
          value={draft.source}
          onChange={draft.setSource}
          problems={problems}
          words={words}
          isReadOnly={reason !== undefined || draft.isLeaving}
        />
        <SaveBar
          draft={draft}
          what="rule"
          isNew={rule === undefined}
          reason={reason}
          hasProblems={problems.length > 0}
        >
          {rule === undefined && (
            <Button renderRoot={(props) => <Link to="/pipelines/rules" {...props} />}>
              {ruleTexts.cancel}
            </Button>
          )}
        </SaveBar>
      </section>
      <TrialPanel
        what={problems.length > 0 ? undefined : runsAll ? together : alone}
        previewed={problems.length > 0 ? undefined : alone}
        scope={rule === undefined ? undefined : { runsAll, onChange: setRunsAll }}
      />
    </div>
  );
}
