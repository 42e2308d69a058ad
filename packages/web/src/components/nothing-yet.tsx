import { Button } from '@mantine/core';
import type { PermissionName } from '@millrace/contract';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useCan } from '../lib/account/index.ts';
import { EmptyState } from './empty-state.tsx';

export interface NothingYetProps {
  readonly icon: ReactNode;
  readonly texts: { readonly empty: string; readonly emptyWhy: string };
  /** The first one is made there, by those who may. */
  readonly to: string;
  readonly label: string;
  readonly permission: PermissionName;
}

/** In place of a list that has nothing to show. */
export function NothingYet({ icon, texts, to, label, permission }: NothingYetProps) {
  const mayCreate = useCan(permission);
  return (
    <EmptyState
      icon={icon}
      title={texts.empty}
      action={
        mayCreate ? <Button renderRoot={(props) => <Link to={to} {...props} />}>{label}</Button> : undefined
      }
    >
      {texts.emptyWhy}
    </EmptyState>
  );
}
