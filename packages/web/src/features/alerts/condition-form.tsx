import { Select, TextInput } from '@mantine/core';
import type { AlertConditionView, ConditionTypes } from '@millrace/contract';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useMemo, useState } from 'react';
import { StreamChannels } from '../../components/alerts/index.ts';
import { missingPermission } from '../../components/disabled.tsx';
import { InlineNotice } from '../../components/inline-notice.tsx';
import { SchemaForm } from '../../components/schema-form.tsx';
import { toast } from '../../components/toast.ts';
import { useCan } from '../../lib/account/index.ts';
import { sentenceParts, useAlertMutation } from '../../lib/alerts/index.ts';
import { call } from '../../lib/api/index.ts';
import { type FormValues, fieldsFromConfiguration } from '../../lib/forms/index.ts';
import classes from './alerts.module.css';
import { PreviewPanel } from './preview-panel.tsx';
import { texts } from './texts.ts';

type ConditionType = ConditionTypes[string];

interface ConditionFormProps {
  readonly streamId: string;
  readonly types: ConditionTypes;
  /** Without one, something new is made. */
  readonly stored?: AlertConditionView;
  /** Reads what is stored now, after somebody else has changed it: another form begins with that. */
  readonly onReload?: () => Promise<void>;
  /** It was read again. */
  readonly isAgain?: boolean;
  readonly query?: string;
  /** Above the fields: the choice of the stream. */
  readonly children?: ReactNode;
}

/** A type, the sentence of its fields, what it would have done, who is told. */
export function ConditionForm(props: ConditionFormProps) {
  const { streamId, types, stored, onReload, query, children } = props;
  const offered = stored === undefined ? Object.values(types).filter(isEditable) : [];
  const [typeId, setTypeId] = useState(stored?.type ?? offered[0]?.type ?? '');
  const [firstTitle] = useState(stored?.title ?? '');
  const [title, setTitle] = useState(firstTitle);
  const [parameters, setParameters] = useState<FormValues>(stored?.parameters ?? {});
  const type = types[typeId];
  const fields = useMemo(
    () => (type === undefined ? [] : simpleFields(type, stored?.parameters)),
    [type, stored],
  );
  const mayEdit = useCan('streams:edit', streamId);
  const save = useSave(streamId, stored);
  const navigate = useNavigate();
  const toStream = () => void navigate({ to: '/streams/$id/alerts', params: { id: streamId } });
  if (type === undefined) return null;
  const submit = (given: FormValues, revision: string | undefined) =>
    save.mutate(
      // An empty title removes the stored one; the server takes null for one that stays.
      { type: typeId, title: title.trim(), parameters: { ...given }, revision },
      {
        onSuccess: () => {
          toast(texts.saved);
          toStream();
        },
      },
    );
  const parts = sentenceParts(typeId, fields);
  const preview = (
    <PreviewPanel
      streamId={streamId}
      condition={{ type: typeId, parameters: { ...stored?.parameters, ...parameters } }}
      // A form that is a sentence says it itself.
      {...(parts === undefined && { typeName: type.human_name })}
    />
  );
  return (
    <div className={classes.condition}>
      {children}
      {stored === undefined && (
        <Select
          label={texts.type}
          description={type.description}
          data={offered.map(({ type: value, human_name: label }) => ({ value, label: shortName(label) }))}
          value={typeId}
          onChange={(value) => setTypeId(value ?? typeId)}
        />
      )}
      {!isEditable(type) && <InlineNotice kind="info">{texts.partly}</InlineNotice>}
      <SchemaForm
        type={typeId}
        fields={fields}
        stored={stored?.parameters}
        filled={query === undefined ? undefined : { query }}
        sentence={parts && { parts, below: preview }}
        below={
          <>
            <TextInput
              label={texts.title}
              description={texts.titleHelp}
              value={title}
              onChange={(event) => setTitle(event.currentTarget.value)}
            />
            {parts === undefined && preview}
            <StreamChannels streamId={streamId} isLater={stored === undefined} />
          </>
        }
        submitLabel={stored === undefined ? texts.create : texts.save}
        noSubmitReason={mayEdit ? undefined : missingPermission('streams:edit', texts.thisStream)}
        onSubmit={(given) => submit(given, stored?.revision)}
        onValues={setParameters}
        onCancel={toStream}
        leave={{ what: texts.unsaved, isChanged: title !== firstTitle, isSaved: save.isSuccess }}
        isBusy={save.isPending}
        isAgain={props.isAgain ?? false}
        error={save.error}
        conflict={onReload && { what: texts.one, onReload, onOverwrite: (given) => submit(given, undefined) }}
      />
    </div>
  );
}

const SIMPLE = new Set(['text', 'number', 'boolean', 'dropdown', 'list']);

function isSimple({ type, default_value: value }: ConditionType['requested_configuration'][string]): boolean {
  const holdsObjects = typeof value === 'object' && value !== null && !Array.isArray(value);
  return SIMPLE.has(type) && !holdsObjects;
}

/** Whether the form can make one: not where it would have to build trees and lists of objects. */
function isEditable({ requested_configuration: configuration }: ConditionType): boolean {
  return Object.values(configuration).every(isSimple);
}

/** Fields that a form can show: those that are left out stay as they are. */
function simpleFields({ requested_configuration: configuration }: ConditionType, stored: FormValues = {}) {
  const holdsObjects = (value: unknown) =>
    Array.isArray(value) && value.some((member) => typeof member === 'object');
  const shown = Object.entries(configuration).filter(
    ([name, field]) => isSimple(field) && !holdsObjects(stored[name]),
  );
  return fieldsFromConfiguration(Object.fromEntries(shown));
}

/** `Message Count Alert Condition` says twice what the page says. */
function shortName(name: string): string {
  return name.replace(/ Alert Condition$/i, '');
}

interface Saved {
  readonly type: string;
  readonly title: string;
  readonly parameters: Record<string, unknown>;
  readonly revision: string | undefined;
}

function useSave(streamId: string, stored: AlertConditionView | undefined) {
  return useAlertMutation<Saved, unknown>(({ ...body }) =>
    stored === undefined
      ? call('POST /streams/{streamId}/alerts/conditions', { path: { streamId }, body })
      : call('PUT /streams/{streamId}/alerts/conditions/{conditionId}', {
          path: { streamId, conditionId: stored.id },
          body,
        }),
  );
}
