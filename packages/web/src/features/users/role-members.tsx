import { ActionIcon, Autocomplete, Button, Tooltip } from '@mantine/core';
import type { Role, User } from '@millrace/contract';
import { IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Disabled, usePermissionReason } from '../../components/disabled.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { addressOf, userPageQuery } from './queries.ts';
import { membersQuery, useMember } from './role-queries.ts';
import { roleTexts as texts, texts as userTexts } from './texts.ts';
import classes from './users.module.css';

/** Who has the role, and the way to give it to one more. */
export function RoleMembers({ role }: { readonly role: Role }) {
  const { data: members, error, refetch } = useQuery(membersQuery(role.name));
  const member = useMember(role.name);
  const reason = usePermissionReason('roles:edit', role.name, texts.thisRole);
  return (
    <section className={classes.section} aria-label={texts.members}>
      <h2>{texts.members}</h2>
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {members?.length === 0 && <p className={classes.help}>{texts.noMembers}</p>}
      {members !== undefined && members.length > 0 && (
        <DataTable
          label={texts.members}
          columns={columnsOf(reason, (username) => member.mutate({ username, isMember: false }))}
          rows={members}
          rowKey={({ id }) => id}
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
          <Disabled reason={reason}>
            <RemoveButton username={username} onRemove={() => onRemove(username)} />
          </Disabled>
        ),
    },
  ];
}

function RemoveButton(props: {
  readonly username: string;
  readonly onRemove: () => void;
  readonly onClick?: unknown;
}) {
  const { username, onRemove, ...rest } = props;
  const label = texts.removeMember(username);
  return (
    <Tooltip label={label}>
      <ActionIcon aria-label={label} onClick={onRemove} {...(rest as object)}>
        <IconX size={16} />
      </ActionIcon>
    </Tooltip>
  );
}

interface AddMemberProps {
  readonly reason: string | undefined;
  readonly isBusy: boolean;
  readonly onAdd: (username: string, onAdded: () => void) => void;
}

/** Names are offered by the server, so that it also works with thousands of users. */
function AddMember({ reason, isBusy, onAdd }: AddMemberProps) {
  const [name, setName] = useState('');
  const { data } = useQuery({
    ...userPageQuery({ find: name, sort: 'username', order: 'asc', page: 1 }),
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
