import { ActionIcon, Menu } from '@mantine/core';
import type { Stream } from '@millrace/contract';
import { IconCopy, IconDots, IconListDetails, IconSettings, IconTrash } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { missingPermission } from '../../components/disabled.tsx';
import { useCan } from '../../lib/account/index.ts';
import { useEditReason } from './stream-parts.tsx';
import { texts } from './texts.ts';

export type RowAction = 'clone' | 'delete';

export interface StreamMenuProps {
  readonly stream: Stream;
  readonly onAction: (action: RowAction) => void;
}

/** Everything else that can be done with a stream of the list. */
export function StreamMenu({ stream, onAction }: StreamMenuProps) {
  const editReason = useEditReason(stream);
  const mayCreate = useCan('streams:create');
  const cloneReason = !stream.is_editable
    ? texts.builtInNoChange
    : mayCreate
      ? undefined
      : missingPermission('streams:create');
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={`More for ${stream.title}`}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconListDetails size={16} />}
          renderRoot={(props) => <Link to="/streams/$id/rules" params={{ id: stream.id }} {...props} />}
        >
          {stream.is_editable ? texts.edit : texts.seeRules}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconSettings size={16} />}
          renderRoot={(props) => <Link to="/streams/$id/settings" params={{ id: stream.id }} {...props} />}
        >
          {texts.settings}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconCopy size={16} />}
          disabled={cloneReason !== undefined}
          title={cloneReason}
          onClick={() => onAction('clone')}
        >
          {texts.clone}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          color="danger"
          leftSection={<IconTrash size={16} />}
          disabled={editReason !== undefined}
          title={editReason}
          onClick={() => onAction('delete')}
        >
          {texts.delete}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
