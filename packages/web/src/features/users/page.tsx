import type { User } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { FindList } from '../../components/find-list.tsx';
import { NewButton } from '../../components/new-button.tsx';
import { Page, PageHeader } from '../../components/page-header.tsx';
import { StateBadge } from '../../components/state-badge.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { useListValues } from '../../components/use-list-values.ts';
import { type ListValues, listParams, SORTS } from './list-params.ts';
import { PeopleTabs } from './people-tabs.tsx';
import { addressOf, PER_PAGE, userPageQuery } from './queries.ts';
import { rightsOf } from './rights.ts';
import { texts } from './texts.ts';
import { StatusButton, StatusQuestion } from './user-status.tsx';
import classes from './users.module.css';

export function UsersPage() {
  const list = useListValues('/users', listParams);
  const { values, change } = list;
  const result = useQuery(userPageQuery(values));
  const { data } = result;
  // The user of the configuration is on no page of the server's list.
  const root = values.page === 1 && values.find.trim() === '' ? data?.context.admin_user : undefined;
  const users = [...(root === undefined ? [] : [root]), ...(data?.users ?? [])];
  return (
    <Page>
      <PageHeader
        title={texts.title}
        about={texts.about}
        actions={
          <NewButton label={texts.newUser} group={texts.title} to="/users/new" permission="users:create" />
        }
      />
      <PeopleTabs />
      <FindList
        {...{ texts, list, result }}
        total={data?.total}
        perPage={PER_PAGE}
        one="user"
        empty={undefined}
      >
        {users.length > 0 && (
          <UserTable users={users} sort={values} onSort={(sort) => change({ ...sort, page: 1 })} />
        )}
      </FindList>
    </Page>
  );
}

interface UserTableProps {
  readonly users: readonly User[];
  readonly sort: Pick<ListValues, 'sort' | 'order'>;
  readonly onSort: (sort: Pick<ListValues, 'sort' | 'order'>) => void;
}

function UserTable({ users, sort, onSort }: UserTableProps) {
  const navigate = useNavigate();
  const [asking, setAsking] = useState<{ readonly id: string; readonly round: number }>();
  return (
    <DataTable
      label={texts.title}
      columns={columnsOf((id) => setAsking((before) => ({ id, round: (before?.round ?? 0) + 1 })))}
      rows={users}
      rowKey={({ id }) => id}
      onOpen={(user) => void navigate({ to: '/users/$name', params: addressOf(user) })}
      sort={{ column: sort.sort, order: sort.order }}
      onSort={({ column, order }) =>
        onSort({ sort: SORTS.find((known) => known === column) ?? 'username', order })
      }
      below={(user) =>
        asking?.id === user.id && (
          // Its own each time: what was confirmed just before may still be under way, and must not close this one.
          <StatusQuestion key={asking.round} user={user} onDone={() => setAsking(undefined)} />
        )
      }
    />
  );
}

function columnsOf(onAsk: (id: string) => void): readonly Column<User>[] {
  return [
    { key: 'username', title: texts.user, isSortable: true, render: (user) => <UserName user={user} /> },
    {
      key: 'email',
      title: texts.email,
      isSortable: true,
      isMinor: true,
      render: ({ email }) => <span className={classes.clip}>{email}</span>,
    },
    { key: 'rights', title: texts.rights, isMinor: true, render: (user) => <RightsInWords user={user} /> },
    {
      key: 'last_activity',
      title: texts.active,
      width: '112px',
      isSortable: true,
      isMinor: true,
      render: ({ last_activity: last }) =>
        last === null ? (
          <span className={classes.dim}>{texts.never}</span>
        ) : (
          <Timestamp value={last} show="age" />
        ),
    },
    {
      key: 'state',
      title: texts.state,
      width: '104px',
      render: ({ account_status: status }) =>
        status === 'enabled' ? (
          <StateBadge tone="ok">{texts.enabled}</StateBadge>
        ) : (
          <StateBadge tone="dim">{texts.disabled}</StateBadge>
        ),
    },
    {
      key: 'actions',
      title: texts.actions,
      width: '104px',
      isActions: true,
      render: (user) => <StatusButton user={user} onAsk={() => onAsk(user.id)} />,
    },
  ];
}

function UserName({ user }: { readonly user: User }) {
  const { username, full_name: fullName } = user;
  return (
    <>
      <Link to="/users/$name" params={addressOf(user)} className={classes.name} title={username}>
        <bdi>{username}</bdi>
      </Link>
      {fullName !== '' && fullName !== username && (
        <span className={`${classes.dim} ${classes.clip}`}>
          <bdi>{fullName}</bdi>
        </span>
      )}
    </>
  );
}

function RightsInWords({ user }: { readonly user: User }) {
  if (user.read_only) return <span className={classes.dim}>{texts.fromConfiguration}</span>;
  if (user.own_permissions === null)
    return <span className={classes.dim}>{texts.rolesOnly(user.roles)}</span>;
  const { streams, others } = rightsOf(user.own_permissions);
  return (
    <span className={classes.clip} title={user.own_permissions.join('\n')}>
      {texts.rightsInWords(user.roles, streams.length, others.length)}
    </span>
  );
}
