import { ActionIcon, Button, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { type FormEvent, useRef, useState } from 'react';
import { DataTable } from '../../components/data-table.tsx';
import { Disabled, usePermissionReason } from '../../components/disabled.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { ApiError } from '../../lib/api/index.ts';
import classes from './inputs.module.css';
import type { ListedInput } from './listed-inputs.ts';
import { useRemoveStaticField, useSetStaticField } from './queries.ts';
import { tabTexts, texts } from './texts.ts';

const MAX_NAME_LENGTH = 200;
const MAX_VALUE_LENGTH = 8000;

/** Fields that every message of the input gets. */
export function StaticFieldsTab({ input }: ListedInput) {
  const reason = usePermissionReason('inputs:edit', input.id, texts.thisInput);
  const remove = useRemoveStaticField(input.id);
  const rows = Object.entries(input.static_fields).sort(([a], [b]) => a.localeCompare(b));
  return (
    <>
      <p className={classes.quiet}>{tabTexts.staticAbout}</p>
      {rows.length === 0 ? (
        <EmptyState title={tabTexts.noStatic}>{tabTexts.noStaticWhy}</EmptyState>
      ) : (
        <DataTable
          label={tabTexts.staticFields}
          rows={rows}
          rowKey={([name]) => name}
          columns={[
            {
              key: 'field',
              title: tabTexts.field,
              width: '240px',
              render: ([name]) => <code className={`mono ${classes.fieldName}`}>{name}</code>,
            },
            { key: 'value', title: tabTexts.value, render: ([, value]) => <bdi>{value}</bdi> },
            {
              key: 'actions',
              title: texts.columns.actions,
              width: '56px',
              isActions: true,
              render: ([name]) => (
                <Disabled reason={reason}>
                  <ActionIcon
                    aria-label={tabTexts.removeField(name)}
                    loading={remove.isPending && remove.variables === name}
                    onClick={() => remove.mutate(name)}
                  >
                    <IconTrash size={16} />
                  </ActionIcon>
                </Disabled>
              ),
            },
          ]}
        />
      )}
      {remove.error !== null && <ErrorNotice error={remove.error} />}
      <AddField input={input} reason={reason} />
    </>
  );
}

interface AddFieldProps extends Pick<ListedInput, 'input'> {
  readonly reason: string | undefined;
}

function AddField({ input, reason }: AddFieldProps) {
  const [key, setKey] = useState('');
  const [value, setValue] = useState('');
  const name = useRef<HTMLInputElement>(null);
  const set = useSetStaticField(input.id);
  const problems = set.error instanceof ApiError ? set.error.problems : [];
  // What the server said is about what was sent; another text is not wrong until it says so again.
  const problemOf = (path: 'key' | 'value', text: string) =>
    text === set.variables?.[path] ? problems.find((problem) => problem.path === path)?.message : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (reason !== undefined) return;
    set.mutate(
      { key: key.trim(), value },
      {
        onSuccess: () => {
          setKey('');
          setValue('');
          name.current?.focus();
        },
      },
    );
  };
  return (
    <form className={classes.addField} onSubmit={submit}>
      <TextInput
        ref={name}
        label={tabTexts.field}
        value={key}
        maxLength={MAX_NAME_LENGTH}
        error={problemOf('key', key.trim())}
        onChange={(event) => setKey(event.currentTarget.value)}
      />
      <TextInput
        label={tabTexts.value}
        value={value}
        maxLength={MAX_VALUE_LENGTH}
        error={problemOf('value', value)}
        onChange={(event) => setValue(event.currentTarget.value)}
      />
      <Disabled reason={reason}>
        <Button type="submit" loading={set.isPending}>
          {Object.hasOwn(input.static_fields, key.trim()) ? tabTexts.replace : tabTexts.add}
        </Button>
      </Disabled>
      {set.error !== null && problems.length === 0 && <ErrorNotice error={set.error} />}
    </form>
  );
}
