import { ActionIcon, Button, TextInput, Tooltip } from '@mantine/core';
import type { AccessToken } from '@millrace/contract';
import { IconX } from '@tabler/icons-react';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { CodeSnippet } from '../../components/code-snippet.tsx';
import { ConfirmInline } from '../../components/confirm-inline.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { InlineNotice } from '../../components/inline-notice.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { useMe } from '../../lib/account/index.ts';
import { call } from '../../lib/api/index.ts';
import classes from './profile.module.css';
import { texts } from './texts.ts';

const TOKENS = ['tokens'];
const NEVER = '1970-01-01T00:00:00.000Z';
const MAX_NAME = 200;

function tokensQuery(username: string) {
  return queryOptions({
    queryKey: [...TOKENS, username],
    queryFn: ({ signal }) => call('GET /users/{username}/tokens', { path: { username }, signal }),
  });
}

/** Access tokens of the own account: made, shown once, deleted. */
export function Tokens() {
  const { username } = useMe();
  const { data, error, refetch } = useQuery(tokensQuery(username));
  return (
    <>
      <p className={classes.help}>{texts.tokensHelp}</p>
      <NewToken username={username} />
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {data !== undefined && data.tokens.length > 0 && (
        <ul className={classes.tokens} aria-label={texts.tokens}>
          {data.tokens.map((token) => (
            <Token key={token.id} token={token} username={username} />
          ))}
        </ul>
      )}
      {data?.tokens.length === 0 && <p className={classes.help}>{texts.noTokens}</p>}
    </>
  );
}

function Token({ token, username }: { readonly token: AccessToken; readonly username: string }) {
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const remove = useMutation({
    mutationFn: () => call('DELETE /users/{username}/tokens/{name}', { path: { username, name: token.id } }),
    onSuccess: () => client.invalidateQueries({ queryKey: TOKENS }),
  });
  return (
    <li>
      <div className={classes.token}>
        <span className={classes.tokenName}>
          <bdi>{token.name}</bdi>
        </span>
        <span className={classes.help}>
          {token.last_access === NEVER ? (
            texts.neverUsed
          ) : (
            <>
              {texts.used} <Timestamp value={token.last_access} show="age" />
            </>
          )}
        </span>
        <Tooltip label={texts.deleteToken(token.name)}>
          <ActionIcon aria-label={texts.deleteToken(token.name)} onClick={() => setAsking(true)}>
            <IconX size={16} />
          </ActionIcon>
        </Tooltip>
      </div>
      {isAsking && (
        <ConfirmInline
          question={texts.deleteTokenQuestion(token.name)}
          action={texts.delete}
          isBusy={remove.isPending}
          onConfirm={() => remove.mutate()}
          onCancel={() => setAsking(false)}
        />
      )}
      {remove.error !== null && <ErrorNotice error={remove.error} />}
    </li>
  );
}

function NewToken({ username }: { readonly username: string }) {
  const client = useQueryClient();
  const [name, setName] = useState('');
  const create = useMutation({
    mutationFn: () => call('POST /users/{username}/tokens/{name}', { path: { username, name: name.trim() } }),
    onSuccess: () => {
      setName('');
      return client.invalidateQueries({ queryKey: TOKENS });
    },
  });
  const made = create.data;
  const secret = useRef<HTMLDivElement>(null);
  // It is shown only once: nobody may have to look for it.
  useEffect(() => {
    if (made === undefined) return;
    secret.current?.scrollIntoView({ block: 'nearest' });
    secret.current?.focus({ preventScroll: true });
  }, [made]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== '') create.mutate();
  };
  return (
    <>
      <form className={classes.newToken} onSubmit={submit}>
        <TextInput
          label={texts.tokenName}
          placeholder="ci"
          value={name}
          maxLength={MAX_NAME}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button type="submit" disabled={name.trim() === ''} loading={create.isPending}>
          {texts.createToken}
        </Button>
      </form>
      {create.error !== null && <ErrorNotice error={create.error} />}
      {made !== undefined && (
        <div ref={secret} tabIndex={-1}>
          <InlineNotice kind="ok" title={texts.tokenMade(made.name)}>
            <CodeSnippet code={made.token} label={texts.newTokenLabel} isWrapped />
            {texts.notAgain}
          </InlineNotice>
        </div>
      )}
    </>
  );
}
