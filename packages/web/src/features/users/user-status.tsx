import { Button } from '@mantine/core';
import type { User } from '@millrace/contract';
import { ConfirmInline } from '../../components/confirm-inline.tsx';
import { Disabled, usePermissionReason } from '../../components/disabled.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { toast } from '../../components/toast.ts';
import { useMe } from '../../lib/account/index.ts';
import { messageOf } from '../../lib/api/index.ts';
import { useSetStatus } from './queries.ts';
import { texts } from './texts.ts';
import classes from './users.module.css';

/** Why a user cannot be disabled or deleted; nothing when they can. */
export function useRemovalReason(user: User): string | undefined {
  const me = useMe();
  const reason = usePermissionReason('users:edit', user.username, texts.thisUser);
  if (user.read_only) return texts.rootUser;
  return user.username === me.username ? texts.yourself : reason;
}

/** Enables at once; before disabling it asks. */
export function StatusButton({ user, onAsk }: { readonly user: User; readonly onAsk: () => void }) {
  const set = useSetStatus();
  const { username, account_status: status } = user;
  const reason = useRemovalReason(user);
  const isEnabled = status === 'enabled';
  const label = isEnabled ? texts.disable : texts.enable;
  const enable = () =>
    set.mutate({ username, status: 'enabled' }, { onSuccess: () => toast(texts.enabledDone(username)) });
  return (
    <>
      <Disabled reason={reason}>
        <Button
          aria-label={`${label} ${username}`}
          onClick={isEnabled ? onAsk : enable}
          loading={set.isPending}
        >
          {label}
        </Button>
      </Disabled>
      {set.error !== null && (
        <span role="alert" className={classes.failure}>
          {messageOf(set.error)}
        </span>
      )}
    </>
  );
}

export function StatusQuestion({ user, onDone }: { readonly user: User; readonly onDone: () => void }) {
  const set = useSetStatus();
  const { username } = user;
  return (
    <>
      <ConfirmInline
        question={texts.disableQuestion(username)}
        action={texts.disable}
        isBusy={set.isPending}
        onConfirm={() =>
          set.mutate(
            { username, status: 'disabled' },
            {
              onSuccess: () => {
                toast(texts.disabledDone(username));
                onDone();
              },
            },
          )
        }
        onCancel={onDone}
      />
      {set.error !== null && <ErrorNotice error={set.error} />}
    </>
  );
}
