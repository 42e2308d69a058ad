import { Button, CopyButton, Menu, Tabs } from '@mantine/core';
import { IconBookmark, IconChevronDown, IconCopy, IconLink, IconRoute } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useCan } from '../lib/account/index.ts';
import { COPY_FORMATS, type LogMessage } from '../lib/messages/index.ts';
import { copyText } from './copy.ts';
import { DetailFields, type DetailFieldsProps } from './detail-fields.tsx';
import { JsonTree } from './json-tree.tsx';
import classes from './message-detail.module.css';

export interface MessageDetailProps extends DetailFieldsProps {
  /** Where this message alone is shown; without one there is no link. */
  readonly permalink?: string | undefined;
  /** The messages around it; without them there is no such tab. */
  readonly around?: ReactNode;
  readonly tab?: string | undefined;
  readonly onTabChange?: ((tab: string) => void) | undefined;
  readonly isMarked?: boolean;
  readonly onMark?: (() => void) | undefined;
}

/** Everything that is known about one message, in the place of its row. */
export function MessageDetail(props: MessageDetailProps) {
  'use memo';
  const { message, around, tab = 'fields', onTabChange } = props;
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
        <DetailButtons {...props} />
      </div>
      <Tabs.Panel value="fields">
        <DetailFields {...props} />
      </Tabs.Panel>
      <Tabs.Panel value="json">
        <div className={classes.json}>
          <JsonTree value={asJson(message)} />
        </div>
      </Tabs.Panel>
      {around !== undefined && <Tabs.Panel value="around">{around}</Tabs.Panel>}
    </Tabs>
  );
}

function asJson({ id, index, fields }: LogMessage): object {
  return { _id: id, ...(index === undefined ? {} : { _index: index }), ...fields };
}

function DetailButtons({ message, permalink, isMarked, onMark }: MessageDetailProps) {
  const copyAs = (format: keyof typeof COPY_FORMATS) =>
    copyText(COPY_FORMATS[format](message), `Copied as ${format}`);
  return (
    <div className={classes.buttons}>
      {onMark !== undefined && (
        <Button
          size="xs"
          leftSection={<IconBookmark size={14} />}
          aria-pressed={isMarked ?? false}
          variant={isMarked ? 'light' : 'default'}
          onClick={onMark}
        >
          {isMarked ? 'Marked' : 'Mark'}
        </Button>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <Button size="xs" leftSection={<IconCopy size={14} />} rightSection={<IconChevronDown size={14} />}>
            Copy
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {(Object.keys(COPY_FORMATS) as (keyof typeof COPY_FORMATS)[]).map((format) => (
            <Menu.Item key={format} onClick={() => void copyAs(format)}>
              As {format}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <TryInPipelines message={message} />
      {permalink !== undefined && (
        <>
          <CopyButton value={new URL(permalink, location.origin).href}>
            {({ copied, copy }) => (
              <Button size="xs" leftSection={<IconLink size={14} />} onClick={copy}>
                {copied ? 'Copied' : 'Copy link'}
              </Button>
            )}
          </CopyButton>
          <Button size="xs" component="a" href={permalink}>
            Open alone
          </Button>
        </>
      )}
    </div>
  );
}

/** Shows what pipelines do to the message, to those who may see that. */
function TryInPipelines({ message: { index, id } }: Pick<MessageDetailProps, 'message'>) {
  const mayTry = useCan('pipeline_rule:read');
  if (!mayTry || index === undefined) return null;
  return (
    <Button
      size="xs"
      leftSection={<IconRoute size={14} />}
      renderRoot={(props) => <Link to="/pipelines/simulator" search={{ msg: `${index}/${id}` }} {...props} />}
    >
      Try in pipelines
    </Button>
  );
}
