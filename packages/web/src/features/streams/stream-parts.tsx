import { Button, type ButtonProps } from '@mantine/core';
import type { PermissionName, Stream } from '@millrace/contract';
import {
  Disabled,
  missingPermission,
  usePermissionReason as usePermissionReasonFor,
} from '../../components/disabled.tsx';
import { StateBadge } from '../../components/state-badge.tsx';
import { usePermissions } from '../../lib/account/index.ts';
import { useChangeState } from './queries.ts';
import { texts } from './texts.ts';

const TONES = { running: 'ok', paused: 'dim', disabled: 'danger' } as const;

export function StreamState({ state }: { readonly state: Stream['state'] }) {
  return <StateBadge tone={TONES[state]}>{state}</StateBadge>;
}

/** Why a stream may not be edited; nothing when it may. */
export function useEditReason(stream: Pick<Stream, 'id' | 'is_editable'>): string | undefined {
  const permissions = usePermissions();
  if (!stream.is_editable) return texts.builtInNoChange;
  return permissions.implies('streams:edit', stream.id)
    ? undefined
    : missingPermission('streams:edit', texts.thisStream);
}

/** Why something may not be done, for this stream or at all; nothing when it may. */
export function usePermissionReason(permission: PermissionName, streamId?: string): string | undefined {
  return usePermissionReasonFor(permission, streamId, streamId === undefined ? undefined : texts.thisStream);
}

export interface StateButtonProps extends Pick<ButtonProps, 'size' | 'variant'> {
  readonly stream: Stream;
}

/** Pauses, resumes or re-enables. */
export function StateButton({ stream, ...look }: StateButtonProps) {
  const change = useChangeState();
  const permissions = usePermissions();
  const mayChange =
    permissions.implies('streams:changestate', stream.id) || permissions.implies('streams:edit', stream.id);
  const reason = !stream.is_editable
    ? texts.builtIn
    : mayChange
      ? change.error?.message
      : missingPermission('streams:changestate', texts.thisStream);
  const label = { running: texts.pause, paused: texts.resume, disabled: texts.reEnable }[stream.state];
  return (
    <Disabled reason={reason}>
      <Button {...look} onClick={() => change.mutate(stream)}>
        {label}
      </Button>
    </Disabled>
  );
}

/** Where messages of a stream are searched. */
export function searchLink(stream: Pick<Stream, 'id'>) {
  return { to: '/search', search: { s: stream.id } } as const;
}
