import type { PipelineRuleView } from '@millrace/contract';
import { IconCode } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Column } from '../../../components/data-table.tsx';
import { NewButton } from '../../../components/new-button.tsx';
import { NothingYet } from '../../../components/nothing-yet.tsx';
import { StateBadge } from '../../../components/state-badge.tsx';
import { Timestamp } from '../../../components/timestamp.tsx';
import { TitleLink } from '../../../components/title-link.tsx';
import { DeleteButton } from '../delete-button.tsx';
import { PagedList, usePagedList } from '../paged-list.tsx';
import classes from '../pipelines.module.css';
import { rulePageQuery } from '../queries.ts';
import { Section } from '../section.tsx';
import { ruleTexts, texts } from '../texts.ts';
import { DeleteRuleQuestion } from './delete-rule.tsx';

export function RulesPage() {
  const actions = (
    <NewButton
      label={ruleTexts.newRule}
      group={ruleTexts.title}
      to="/pipelines/rules/new"
      permission="pipeline_rule:create"
    />
  );
  return (
    <Section section="rules" actions={actions}>
      <Rules />
    </Section>
  );
}

function Rules() {
  const navigate = useNavigate();
  const list = usePagedList('/pipelines/rules');
  const result = useQuery(rulePageQuery(list.values));
  const [asking, setAsking] = useState<string>();
  const close = () => setAsking(undefined);
  return (
    <PagedList
      texts={ruleTexts}
      list={list}
      result={result}
      rows={result.data?.rules}
      total={result.data?.total}
      columns={columnsOf((id) => setAsking(id))}
      rowKey={({ id }) => id ?? ''}
      onOpen={({ id }) => void navigate({ to: '/pipelines/rules/$id', params: { id: id ?? '' } })}
      below={(rule) =>
        asking === rule.id && <DeleteRuleQuestion rule={rule} onDone={close} onCancel={close} />
      }
      empty={
        <NothingYet
          icon={<IconCode size={20} />}
          texts={ruleTexts}
          to="/pipelines/rules/new"
          label={ruleTexts.newRule}
          permission="pipeline_rule:create"
        />
      }
    />
  );
}

function columnsOf(onDelete: (id: string) => void): readonly Column<PipelineRuleView>[] {
  return [
    {
      key: 'title',
      title: texts.columns.title,
      isSortable: true,
      render: (rule) => <RuleTitle rule={rule} />,
    },
    {
      key: 'used',
      title: texts.columns.usedIn,
      width: '280px',
      isMinor: true,
      render: ({ used_in_pipelines: used }) => (
        <span className={used.length === 0 ? classes.quiet : classes.clip}>
          {ruleTexts.usedIn(used.map(({ title }) => title))}
        </span>
      ),
    },
    {
      key: 'modified_at',
      title: texts.columns.modified,
      width: '112px',
      isMinor: true,
      isSortable: true,
      render: ({ modified_at: at }) => at !== null && <Timestamp value={at} show="age" />,
    },
    {
      key: 'actions',
      title: texts.columns.actions,
      width: '96px',
      isActions: true,
      render: ({ id, title }) => (
        <DeleteButton
          permission="pipeline_rule:delete"
          id={id ?? ''}
          label={texts.deleteOne(title)}
          forWhat={ruleTexts.thisRule}
          onClick={() => onDelete(id ?? '')}
        />
      ),
    },
  ];
}

function RuleTitle({ rule }: { readonly rule: PipelineRuleView }) {
  const { id, title, description, errors, disabled_reason: reason } = rule;
  return (
    <>
      <TitleLink to="/pipelines/rules/$id" id={id ?? ''} title={title} />
      {description !== '' && <div className={classes.description}>{description}</div>}
      {reason !== null && (
        <div className={classes.problem}>
          <StateBadge tone="danger">{ruleTexts.disabled}</StateBadge> {reason}
        </div>
      )}
      {errors !== null && (
        <div className={classes.problem}>
          <StateBadge tone="danger">{ruleTexts.broken}</StateBadge> {errors[0]?.reason}
        </div>
      )}
    </>
  );
}
