import { useQueryClient } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';
import { meQuery } from '../../lib/account/index.ts';
import { isUnauthenticated } from '../../lib/api/index.ts';
import { ownPath } from '../../lib/url/index.ts';
import classes from './login.module.css';
import { LoginForm } from './login-form.tsx';
import { texts } from './texts.ts';

export function LoginPage() {
  const router = useRouter();
  const client = useQueryClient();
  const { next } = useSearch({ strict: false });

  const goOn = async () => {
    // Nothing that another user saw may be shown to this one.
    client.clear();
    await client.fetchQuery(meQuery).catch((error: unknown) => {
      if (!isUnauthenticated(error)) throw error;
      throw new Error(texts.notKept, { cause: error });
    });
    router.history.push(ownPath(next));
  };

  return (
    <main className={classes.page}>
      <div className={classes.brand}>
        <img src="/favicon.svg" alt="" width="32" height="32" />
        <h1>{texts.title}</h1>
      </div>
      <div className={classes.card}>
        <LoginForm onLoggedIn={goOn} />
      </div>
      <p className={classes.hint}>{texts.firstStart}</p>
    </main>
  );
}
