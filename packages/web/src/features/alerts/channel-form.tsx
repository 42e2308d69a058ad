import { Select, TextInput } from '@mantine/core';
import type { NotificationTypeView } from '@millrace/contract';
import { useMemo, useState } from 'react';
import { MailIsOff } from '../../components/alerts/index.ts';
import { SchemaForm } from '../../components/schema-form.tsx';
import { toast } from '../../components/toast.ts';
import { useSaveChannel } from '../../lib/alerts/index.ts';
import { type FormValues, fieldsFromConfiguration } from '../../lib/forms/index.ts';
import { missingReceivers } from './mail-receivers.ts';
import { deliveryTexts as texts } from './texts.ts';

const MAX_TITLE_LENGTH = 200;

export interface StoredChannel {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly configuration: FormValues;
  readonly revision: string;
}

export interface ChannelFormProps {
  readonly type: NotificationTypeView;
  /** Null for one that rules name. */
  readonly streamId: string | null;
  /** Without one, something new is made. */
  readonly stored?: StoredChannel;
  /** It was saved just now. */
  readonly isAgain?: boolean;
  /** Why it cannot be saved; nothing when it can. */
  readonly reason?: string | undefined;
  /** The types to choose from, for a new one. */
  readonly types?: readonly NotificationTypeView[];
  readonly onType?: (type: string) => void;
  /** What it needs is being read. */
  readonly isBusy?: boolean;
  readonly onSaved: () => void;
  /** Reads what is stored now, after somebody else has changed it: another form begins with that. */
  readonly onReload?: () => Promise<void>;
  readonly onCancel: () => void;
  readonly children?: React.ReactNode;
}

/** Title, and the fields of the type. */
export function ChannelForm(props: ChannelFormProps) {
  const { type, streamId, stored, reason, types, onType, onSaved, onReload, onCancel } = props;
  // A title that nobody typed is the name of the type.
  const [typedTitle, setTypedTitle] = useState<string>();
  const first = stored?.title ?? type.name;
  const title = typedTitle ?? first;
  const [isTried, setTried] = useState(false);
  const save = useSaveChannel(streamId, stored?.id);
  const fields = useMemo(() => fieldsFromConfiguration(type.requested_configuration), [type]);
  const submit = (configuration: FormValues, revision: string | undefined) =>
    save.mutate(
      {
        type: type.type,
        title: title.trim(),
        description: stored?.description ?? '',
        configuration,
        revision,
      },
      {
        onSuccess: () => {
          toast(texts.saved(title.trim()));
          onSaved();
        },
      },
    );
  return (
    <SchemaForm
      type={type.type}
      fields={fields}
      stored={stored?.configuration}
      submitLabel={stored === undefined ? texts.create : texts.save}
      noSubmitReason={reason}
      isBusy={save.isPending || (props.isBusy ?? false)}
      isAgain={props.isAgain ?? false}
      error={save.error}
      conflict={onReload && { what: texts.one, onReload, onOverwrite: (values) => submit(values, undefined) }}
      validate={async (values) =>
        missingReceivers(
          fields.map(({ name }) => name),
          values,
        )
      }
      isIncomplete={title.trim() === ''}
      leave={{ what: texts.unsaved, isChanged: title !== first, isSaved: save.isSuccess }}
      onTry={() => setTried(true)}
      onSubmit={(values) => submit(values, stored?.revision)}
      onCancel={onCancel}
    >
      {props.children}
      {types !== undefined && (
        <Select
          label={texts.type}
          description={type.description}
          data={types.map(({ type: value, name: label }) => ({ value, label }))}
          value={type.type}
          allowDeselect={false}
          searchable
          onChange={(chosen) => chosen !== null && onType?.(chosen)}
        />
      )}
      <MailIsOff type={type} />
      <TextInput
        label={texts.title}
        value={title}
        maxLength={MAX_TITLE_LENGTH}
        error={isTried && title.trim() === '' ? texts.untitled : undefined}
        onChange={(event) => setTypedTitle(event.currentTarget.value)}
      />
    </SchemaForm>
  );
}
