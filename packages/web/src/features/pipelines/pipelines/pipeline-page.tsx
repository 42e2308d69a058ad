import { Button, SegmentedControl } from '@mantine/core';
import type { PipelineView } from '@millrace/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { DeleteSection } from '../../../components/delete-section.tsx';
import { usePermissionReason } from '../../../components/disabled.tsx';
import { InlineNotice } from '../../../components/inline-notice.tsx';
import { OneOrWhyNot } from '../../../components/one-or-why-not.tsx';
import { Page, PageHeader } from '../../../components/page-header.tsx';
import { RuleEditor } from '../../../components/rule-editor.tsx';
import { pipelineProblems, printPipeline } from '../../../lib/rule-language/index.ts';
import classes from '../pipelines.module.css';
import { pipelineQuery, useSavePipeline } from '../queries.ts';
import { SaveBar } from '../save-bar.tsx';
import { useSourceDraft } from '../source-draft.ts';
import { pipelineTexts, texts } from '../texts.ts';
import { TrialPanel } from '../trial/trial-panel.tsx';
import { Connections } from './connected-streams.tsx';
import { DeletePipelineQuestion } from './delete-pipeline.tsx';
import { StageEditor } from './stage-editor.tsx';

const NEW_PIPELINE = printPipeline({
  name: pipelineTexts.newName,
  stages: [{ number: 0, match: 'either', rules: [] }],
});

export function NewPipelinePage() {
  const reason = usePermissionReason('pipeline:create');
  return (
    <Page>
      <PageHeader title={pipelineTexts.newPipeline} about={pipelineTexts.newAbout} />
      {reason === undefined ? (
        <PipelineWorkbench pipeline={undefined} reason={undefined} />
      ) : (
        <InlineNotice kind="info">{reason}</InlineNotice>
      )}
    </Page>
  );
}

export function PipelinePage() {
  const { id = '' } = useParams({ strict: false });
  const result = useQuery(pipelineQuery(id));
  return (
    <OneOrWhyNot
      result={result}
      notFound={pipelineTexts.notFound}
      notFoundWhy={pipelineTexts.notFoundWhy}
      listPath="/pipelines"
      toList={pipelineTexts.showAll}
    >
      {(pipeline) => <OnePipeline key={id} pipeline={pipeline} />}
    </OneOrWhyNot>
  );
}

function OnePipeline({ pipeline }: { readonly pipeline: PipelineView }) {
  const id = pipeline.id ?? '';
  const navigate = useNavigate();
  const reason = usePermissionReason('pipeline:edit', id, pipelineTexts.thisPipeline);
  const toList = () => void navigate({ to: '/pipelines', replace: true, ignoreBlocker: true });
  return (
    <Page>
      <PageHeader title={pipeline.title} about={pipeline.description || pipelineTexts.oneAbout} />
      {reason !== undefined && <InlineNotice kind="info">{reason}</InlineNotice>}
      <Connections pipelineId={id} />
      <PipelineWorkbench pipeline={pipeline} reason={reason} />
      <DeleteSection
        heading={pipelineTexts.deleteHeading}
        label={texts.delete}
        reason={usePermissionReason('pipeline:delete', id, pipelineTexts.thisPipeline)}
      >
        {(close) => <DeletePipelineQuestion pipeline={pipeline} onDone={toList} onCancel={close} />}
      </DeleteSection>
    </Page>
  );
}

interface PipelineWorkbenchProps {
  /** Undefined: a new one. */
  readonly pipeline: PipelineView | undefined;
  /** Why it may not be changed. */
  readonly reason: string | undefined;
}

/** The stages at one side, what they do to messages at the other. */
function PipelineWorkbench({ pipeline, reason }: PipelineWorkbenchProps) {
  const id = pipeline?.id ?? undefined;
  const navigate = useNavigate();
  const client = useQueryClient();
  const [view, setView] = useState<'stages' | 'source'>('stages');
  const draft = useSourceDraft({
    stored: pipeline,
    initial: NEW_PIPELINE,
    saving: useSavePipeline(id),
    onSaved: (saved) => {
      const params = { id: saved.id ?? '' };
      if (id === undefined)
        void navigate({ to: '/pipelines/$id', params, replace: true, ignoreBlocker: true });
    },
    read: () => client.fetchQuery({ ...pipelineQuery(id ?? ''), staleTime: 0 }),
  });
  const local = pipelineProblems(draft.source);
  const problems = local.length > 0 ? local : draft.refused;
  const isStored = pipeline !== undefined && draft.source === pipeline.source;
  const runs = isStored ? { pipeline_id: pipeline.id ?? '' } : { pipeline_source: draft.source };
  const what = problems.length > 0 ? undefined : runs;
  return (
    <div className={classes.workbench}>
      <section className={classes.column} aria-label={pipelineTexts.stages}>
        <SegmentedControl
          className={classes.start ?? ''}
          aria-label={pipelineTexts.editAs}
          value={view}
          onChange={(value) => setView(value === 'source' ? 'source' : 'stages')}
          data={[
            { value: 'stages', label: pipelineTexts.stages },
            { value: 'source', label: pipelineTexts.source },
          ]}
        />
        {view === 'stages' ? (
          <StageEditor
            source={draft.source}
            onChange={draft.setSource}
            isReadOnly={reason !== undefined || draft.isLeaving}
          />
        ) : (
          <RuleEditor
            label={pipelineTexts.source}
            value={draft.source}
            onChange={draft.setSource}
            problems={problems}
            words={NO_WORDS}
            isReadOnly={reason !== undefined || draft.isLeaving}
          />
        )}
        <SaveBar
          draft={draft}
          what="pipeline"
          isNew={pipeline === undefined}
          reason={reason}
          hasProblems={problems.length > 0}
        >
          {pipeline === undefined && (
            <Button renderRoot={(props) => <Link to="/pipelines" {...props} />}>
              {pipelineTexts.cancel}
            </Button>
          )}
        </SaveBar>
      </section>
      <TrialPanel what={what} previewed={what} />
    </div>
  );
}

const NO_WORDS = { functions: [], fields: [] };
