import { Anchor, Modal } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import classes from '../../features/login/login.module.css';
import { LoginForm } from '../../features/login/login-form.tsx';
import { texts } from '../../features/login/texts.ts';
import { meQuery, useMe } from '../../lib/account/index.ts';
import { sessionGuard } from '../../lib/api/index.ts';

/** Stands over the page when the session has ended. What was typed below stays; refused calls are repeated. */
export function LoginOverPage({ hasEnded }: { readonly hasEnded: boolean }) {
  const [isOpen, setOpen] = useState(false);
  // A dialog that is born open does not know where the focus was.
  useEffect(() => setOpen(hasEnded), [hasEnded]);
  const client = useQueryClient();
  const { username } = useMe();

  const goOn = () => {
    sessionGuard.restored();
    void client.invalidateQueries({ queryKey: meQuery.queryKey });
  };
  const { pathname, search, hash } = window.location;
  const next = encodeURIComponent(pathname + search + hash);

  return (
    <Modal
      opened={isOpen}
      onClose={() => {}}
      title={texts.sessionEnded}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      size={360}
    >
      <div className={classes.dialog}>
        <p>{texts.sessionEndedWhy}</p>
        <LoginForm username={username} onLoggedIn={goOn} />
        {/* A plain link: the page is left, and with it everything that belongs to this user. */}
        <Anchor href={`/login?next=${next}`} size="sm">
          {texts.somebodyElse}
        </Anchor>
      </div>
    </Modal>
  );
}
