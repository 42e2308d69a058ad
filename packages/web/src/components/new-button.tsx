import { Button } from '@mantine/core';
import type { PermissionName } from '@millrace/contract';
import { IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import { useShortcuts } from '../lib/keys/index.ts';
import { Disabled, usePermissionReason } from './disabled.tsx';

export interface NewButtonProps {
  readonly label: string;
  /** The page, in the list of keys. */
  readonly group: string;
  readonly to: string;
  readonly permission: PermissionName;
}

/** Leads to the form for something new; `n` does, too. */
export function NewButton({ label, group, to, permission }: NewButtonProps) {
  const reason = usePermissionReason(permission);
  const button = useRef<HTMLButtonElement>(null);
  const run = () => button.current?.click();
  useShortcuts(reason === undefined ? [{ keys: 'n', label, group, run }] : []);
  return (
    <Disabled reason={reason}>
      <Button
        ref={button}
        variant="filled"
        leftSection={<IconPlus size={16} />}
        {...(reason === undefined && { renderRoot: (props: object) => <Link to={to} {...props} /> })}
      >
        {label}
      </Button>
    </Disabled>
  );
}
