import { Tooltip } from '@mantine/core';
import type { PermissionName } from '@millrace/contract';
import type { ReactElement } from 'react';
import { cloneElement } from 'react';
import { useCan } from '../lib/account/index.ts';

export interface DisabledProps {
  /** Why it cannot be used; nothing when it can. */
  readonly reason: string | undefined;
  /** The press of the button may itself take the reason away, by leaving a field: it is a click all the same. */
  readonly isSteady?: boolean;
  readonly children: ReactElement<{ disabled?: boolean; 'data-disabled'?: boolean; onClick?: unknown }>;
}

/**
 * A control that stays visible and says why it cannot be used. It keeps the focus of the keyboard, unlike one that
 * is `disabled`, so that everybody can read the reason.
 */
export function Disabled({ reason, isSteady = false, children }: DisabledProps) {
  const isUsable = reason === undefined;
  // A tooltip for each button of a long list takes time, and a button that gets or loses one is drawn anew.
  if (isUsable && !isSteady) return children;
  return (
    <Tooltip label={reason} disabled={isUsable} openDelay={0} multiline maw={320}>
      {isUsable ? children : cloneElement(children, UNUSABLE)}
    </Tooltip>
  );
}

const UNUSABLE = {
  'data-disabled': true,
  'aria-disabled': true,
  onClick: (event: { preventDefault(): void }) => event.preventDefault(),
};

/** "Needs `streams:edit` for this stream. Ask an administrator." */
export function missingPermission(permission: PermissionName, forWhat?: string): string {
  return `Needs ${permission}${forWhat === undefined ? '' : ` for ${forWhat}`}. Ask an administrator.`;
}

/** Why something may not be done, for one thing or at all; nothing when it may. */
export function usePermissionReason(
  permission: PermissionName,
  instance?: string,
  forWhat?: string,
): string | undefined {
  return useCan(permission, instance) ? undefined : missingPermission(permission, forWhat);
}
