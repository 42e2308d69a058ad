import { Button } from '@mantine/core';
import type { Role } from '@millrace/contract';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Disabled, missingPermission, usePermissionReason } from '../../components/disabled.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { FindBox } from '../../components/find-box.tsx';
import { InlineNotice } from '../../components/inline-notice.tsx';
import { Page, PageHeader } from '../../components/page-header.tsx';
import { Pages } from '../../components/pages.tsx';
import { useCan } from '../../lib/account/index.ts';
import { pageWithin, type SearchParams } from '../../lib/url/index.ts';
import { PeopleTabs } from './people-tabs.tsx';
import { PER_PAGE } from './queries.ts';
import { rightsOf } from './rights.ts';
import { type RoleListValues, roleListParams, rolePageQuery } from './role-queries.ts';
import { texts as common, roleTexts as texts } from './texts.ts';
import classes from './users.module.css';

export function RolesPage() {
  const mayRead = useCan('roles:read');
  return (
    <Page>
      <PageHeader title={common.roles} about={texts.about} actions={<NewRole />} />
      <PeopleTabs />
      {mayRead ? <Roles /> : <InlineNotice kind="info">{missingPermission('roles:read')}</InlineNotice>}
    </Page>
  );
}

function Roles() {
  const search = useSearch({ strict: false }) as SearchParams;
  const { values } = roleListParams.read(search);
  const navigate = useNavigate();
  const { data, error, refetch, isPlaceholderData } = useQuery(rolePageQuery(values));
  const change = (next: Partial<RoleListValues>) =>
    void navigate({ to: '/roles', search: roleListParams.update(next), replace: true });
  const roles = data?.roles ?? [];
  return (
    <>
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      <FindBox
        label={texts.find}
        hint={texts.findHint}
        group={common.roles}
        find={values.find}
        onFind={(find) => change({ find, page: 1 })}
      />
      {roles.length > 0 && (
        <DataTable
          label={common.roles}
          columns={COLUMNS}
          rows={roles}
          rowKey={({ name }) => name}
          onOpen={({ name }) => void navigate({ to: '/roles/$name', params: { name } })}
          sort={{ column: values.sort, order: values.order }}
          onSort={({ column, order }) =>
            change({ sort: column === 'description' ? 'description' : 'name', order, page: 1 })
          }
        />
      )}
      <Pages
        page={pageWithin(values.page, data?.total ?? 0, PER_PAGE)}
        perPage={PER_PAGE}
        total={data?.total ?? 0}
        one="role"
        onPage={(page) => change({ page })}
      />
      {data !== undefined && roles.length === 0 && !isPlaceholderData && (
        <EmptyState
          title={texts.noneFound(values.find)}
          action={<Button onClick={() => change({ find: '', page: 1 })}>{common.showAll}</Button>}
        />
      )}
    </>
  );
}

const COLUMNS: readonly Column<Role>[] = [
  {
    key: 'name',
    title: texts.role,
    isSortable: true,
    render: ({ name, read_only }) => (
      <>
        <Link to="/roles/$name" params={{ name }} className={classes.name} title={name}>
          <bdi>{name}</bdi>
        </Link>
        {read_only && <span className={classes.dim}>{texts.builtIn}</span>}
      </>
    ),
  },
  {
    key: 'description',
    title: texts.description,
    isSortable: true,
    isMinor: true,
    render: ({ description }) => <span className={classes.clip}>{description}</span>,
  },
  {
    key: 'rights',
    title: texts.rights,
    render: ({ permissions }) => <span title={permissions.join('\n')}>{inWords(permissions)}</span>,
  },
];

function inWords(permissions: readonly string[]): string {
  if (permissions.includes('*')) return texts.everything;
  const { streams, others } = rightsOf(permissions);
  return texts.rightsInWords(streams.length, others.length);
}

function NewRole() {
  const reason = usePermissionReason('roles:create');
  return (
    <Disabled reason={reason}>
      <Button
        variant="filled"
        leftSection={<IconPlus size={16} />}
        {...(reason === undefined && {
          renderRoot: (props: object) => <Link to="/roles/-/new" {...props} />,
        })}
      >
        {texts.newRole}
      </Button>
    </Disabled>
  );
}
