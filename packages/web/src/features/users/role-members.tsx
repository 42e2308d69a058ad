import { ActionIcon, Autocomplete, Button, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { Role, User } from '@millrace/contract';
import { IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { ConfirmInline } from '../../components/confirm-inline.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Disabled, usePermissionReason } from '../../components/disabled.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Pages } from '../../components/pages.tsx';
import { addressOf, userPageQuery } from './queries.ts';
import { MEMBERS_PER_PAGE, membersQuery, useMember } from './role-queries.ts';
import { roleTexts as texts, texts as userTexts } from './texts.ts';
import classes from './users.module.css';

/** Who has the role, and the way to give it to one more. */
export function RoleMembers({ role }: { readonly role: Role }) {
  const [find, setFind] = useState('');
  const [page, setPage] = useState(1);
  const [query] = useDebouncedValue(find, ASK_AFTER_MS);
  const { data, error, refetch, isPlaceholderData, isFetching } = useQuery(
    membersQuery(role.name, { query, page }),
  );
  const members = data?.users;
  const total = data?.total ?? 0;
  const member = useMember(role.name);
  const [asked, setAsked] = useState<string>();
  const reason = usePermissionReason('roles:edit', role.name, texts.thisRole);
  return (
    <section className={classes.section} aria-label={texts.members}>
      <h2>{texts.members}</h2>
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {(total > MEMBERS_PER_PAGE || find !== '') && (
        <TextInput
          aria-label={texts.findMember}
          placeholder={texts.findMember}
          value={find}
          onChange={({ currentTarget: { value } }) => {
            setFind(value);
            setPage(1);
          }}
        />
      )}
      {members?.length === 0 && (
        <p className={classes.help}>{query === '' ? texts.noMembers : texts.noMemberFound}</p>
      )}
      {members !== undefined && members.length > 0 && (
        <DataTable
          label={texts.members}
          columns={columnsOf(reason, setAsked)}
          rows={members}
          rowKey={({ id }) => id}
          below={({ username }) =>
            username === asked && (
              <ConfirmInline
                question={texts.removeQuestion(username, role.name)}
                action={texts.remove}
                isBusy={member.isPending}
                onConfirm={() =>
                  member.mutate({ username, isMember: false }, { onSettled: () => setAsked(undefined) })
                }
                onCancel={() => setAsked(undefined)}
              />
            )
          }
        />
      )}
      {data !== undefined && (
        <Pages
          page={page}
          perPage={MEMBERS_PER_PAGE}
          total={total}
          one="member"
          isOld={isPlaceholderData || isFetching}
          onPage={setPage}
        />
      )}
      {member.error !== null && <ErrorNotice error={member.error} />}
      <AddMember
        reason={reason}
        isBusy={member.isPending}
        onAdd={(username, onAdded) => member.mutate({ username, isMember: true }, { onSuccess: onAdded })}
      />
    </section>
  );
}

function columnsOf(
  reason: string | undefined,
  onRemove: (username: string) => void,
): readonly Column<User>[] {
  return [
    {
      key: 'user',
      title: userTexts.user,
      render: (user) => (
        <Link to="/users/$name" params={addressOf(user)} className={classes.name}>
          <bdi>{user.username}</bdi>
        </Link>
      ),
    },
    {
      key: 'name',
      title: userTexts.fullName,
      isMinor: true,
      render: ({ full_name }) => <bdi className={classes.clip}>{full_name}</bdi>,
    },
    {
      key: 'actions',
      title: userTexts.actions,
      width: '44px',
      isActions: true,
      render: ({ username, read_only }) =>
        !read_only && (
          <RemoveButton username={username} reason={reason} onRemove={() => onRemove(username)} />
        ),
    },
  ];
}

function RemoveButton(props: {
  readonly username: string;
  /** Why the role may not be changed. */
  readonly reason: string | undefined;
  readonly onRemove: () => void;
}) {
  const { username, reason, onRemove } = props;
  const userReason = usePermissionReason('users:edit', username, userTexts.thisUser);
  const label = texts.removeMember(username);
  return (
    <Disabled reason={reason ?? userReason}>
      <ActionIcon aria-label={label} title={label} onClick={onRemove}>
        <IconX size={16} />
      </ActionIcon>
    </Disabled>
  );
}

const ASK_AFTER_MS = 200;

interface AddMemberProps {
  readonly reason: string | undefined;
  readonly isBusy: boolean;
  readonly onAdd: (username: string, onAdded: () => void) => void;
}

/** Names are offered by the server, so that it also works with thousands of users. */
function AddMember({ reason, isBusy, onAdd }: AddMemberProps) {
  const [name, setName] = useState('');
  const [settled] = useDebouncedValue(name, ASK_AFTER_MS);
  const { data } = useQuery({
    ...userPageQuery({ find: settled, sort: 'username', order: 'asc', page: 1 }),
    enabled: reason === undefined,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (reason === undefined && name.trim() !== '') onAdd(name.trim(), () => setName(''));
  };
  return (
    <form className={classes.buttons} onSubmit={submit} aria-label={texts.addMember}>
      <Autocomplete
        aria-label={texts.addMember}
        placeholder={texts.addMemberHint}
        data={data?.users.map(({ username }) => username) ?? []}
        value={name}
        readOnly={reason !== undefined}
        onChange={setName}
      />
      <Disabled reason={reason}>
        <Button type="submit" loading={isBusy}>
          {texts.add}
        </Button>
      </Disabled>
    </form>
  );
}
