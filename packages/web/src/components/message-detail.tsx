import { ActionIcon, Button, CopyButton, Tabs, Tooltip } from '@mantine/core';
import { IconColumnInsertRight, IconColumnRemove, IconCopy, IconLink } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { type LogMessage, messageJson, orderedFieldNames, scalarsOf } from '../lib/messages/index.ts';
import { CodeSnippet } from './code-snippet.tsx';
import { FieldValue, type FieldValueProps, type ValueActions } from './field-value.tsx';
import classes from './message-detail.module.css';

export interface MessageDetailProps {
  readonly message: LogMessage;
  readonly actions: ValueActions;
  readonly titleOf?: FieldValueProps['titleOf'];
  /** Where this message alone is shown; without one there is no link. */
  readonly permalink?: string | undefined;
  /** The messages around it; without them there is no such tab. */
  readonly around?: ReactNode;
  readonly columns?: readonly string[] | undefined;
  readonly onToggleColumn?: ((field: string) => void) | undefined;
  readonly tab?: string | undefined;
  readonly onTabChange?: ((tab: string) => void) | undefined;
}

/** Everything that is known about one message, in the place of its row. */
export function MessageDetail(props: MessageDetailProps) {
  const { message, permalink, around, tab = 'fields', onTabChange } = props;
  return (
    <Tabs
      className={classes.detail}
      value={tab}
      onChange={(value) => value !== null && onTabChange?.(value)}
      keepMounted={false}
    >
      <div className={classes.head}>
        <Tabs.List>
          <Tabs.Tab value="fields">Fields</Tabs.Tab>
          <Tabs.Tab value="json">JSON</Tabs.Tab>
          {around !== undefined && <Tabs.Tab value="around">Around</Tabs.Tab>}
        </Tabs.List>
        <div className={classes.buttons}>
          <CopyButton value={messageJson(message)}>
            {({ copied, copy }) => (
              <Button size="xs" leftSection={<IconCopy size={14} />} onClick={copy}>
                {copied ? 'Copied' : 'Copy JSON'}
              </Button>
            )}
          </CopyButton>
          {permalink !== undefined && (
            <CopyButton value={new URL(permalink, location.origin).href}>
              {({ copied, copy }) => (
                <Button size="xs" leftSection={<IconLink size={14} />} onClick={copy}>
                  {copied ? 'Copied' : 'Copy link'}
                </Button>
              )}
            </CopyButton>
          )}
          {permalink !== undefined && (
            <Button size="xs" component="a" href={permalink}>
              Open alone
            </Button>
          )}
        </div>
      </div>
      <Tabs.Panel value="fields">
        <Fields {...props} />
      </Tabs.Panel>
      <Tabs.Panel value="json">
        <CodeSnippet code={messageJson(message)} label="The message as JSON" />
      </Tabs.Panel>
      {around !== undefined && <Tabs.Panel value="around">{around}</Tabs.Panel>}
    </Tabs>
  );
}

function Fields({ message, actions, titleOf, columns, onToggleColumn }: MessageDetailProps) {
  return (
    <dl className={classes.fields}>
      {orderedFieldNames(message.fields).map((field) => (
        <div key={field} className={classes.field} data-field-row>
          <dt className={classes.name}>
            <bdi title={field}>{field}</bdi>
            {onToggleColumn !== undefined && (
              <ColumnToggle
                field={field}
                isShown={columns?.includes(field) ?? false}
                onClick={() => onToggleColumn(field)}
              />
            )}
          </dt>
          <dd className={classes.values}>
            <Values
              field={field}
              message={message}
              actions={actions}
              {...(titleOf === undefined ? {} : { titleOf })}
            />
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface ValuesProps extends Pick<FieldValueProps, 'field' | 'actions' | 'titleOf'> {
  readonly message: LogMessage;
}

function Values({ field, message, actions, titleOf }: ValuesProps) {
  const value = message.fields[field];
  const scalars = scalarsOf(value);
  if (scalars.length === 0) return <code>{JSON.stringify(value)}</code>;
  return scalars.map((scalar, at) => (
    <FieldValue
      // biome-ignore lint/suspicious/noArrayIndexKey: a list may hold the same value twice
      key={at}
      field={field}
      value={scalar}
      marks={Array.isArray(value) ? undefined : message.marks[field]}
      actions={actions}
      titleOf={titleOf}
    />
  ));
}

interface ColumnToggleProps {
  readonly field: string;
  readonly isShown: boolean;
  readonly onClick: () => void;
}

function ColumnToggle({ field, isShown, onClick }: ColumnToggleProps) {
  const label = isShown ? `Hide the column ${field}` : `Show ${field} as a column`;
  return (
    <Tooltip label={label}>
      <ActionIcon className={classes.toggle} size={24} aria-label={label} onClick={onClick}>
        {isShown ? <IconColumnRemove size={14} /> : <IconColumnInsertRight size={14} />}
      </ActionIcon>
    </Tooltip>
  );
}
