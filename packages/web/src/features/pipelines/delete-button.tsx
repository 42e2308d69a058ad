import { ActionIcon, Tooltip } from '@mantine/core';
import type { PermissionName } from '@millrace/contract';
import { IconTrash } from '@tabler/icons-react';
import { Disabled, usePermissionReason } from '../../components/disabled.tsx';

export interface DeleteButtonProps {
  readonly permission: PermissionName;
  /** Without one, the permission is not for single things. */
  readonly id?: string;
  /** "Delete took to ms" */
  readonly label: string;
  readonly forWhat?: string;
  readonly onClick: () => void;
}

/** Asks for a question, at the end of a row. */
export function DeleteButton({ permission, id, label, forWhat, onClick }: DeleteButtonProps) {
  const reason = usePermissionReason(permission, id, forWhat);
  const button = (
    <ActionIcon aria-label={label} onClick={onClick}>
      <IconTrash size={16} />
    </ActionIcon>
  );
  if (reason !== undefined) return <Disabled reason={reason}>{button}</Disabled>;
  return <Tooltip label={label}>{button}</Tooltip>;
}
