import type { Role } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { missingPermission } from '../../components/disabled.tsx';
import { FindList } from '../../components/find-list.tsx';
import { InlineNotice } from '../../components/inline-notice.tsx';
import { NewButton } from '../../components/new-button.tsx';
import { Page, PageHeader } from '../../components/page-header.tsx';
import { useListValues } from '../../components/use-list-values.ts';
import { useCan } from '../../lib/account/index.ts';
import { PeopleTabs } from './people-tabs.tsx';
import { PER_PAGE } from './queries.ts';
import { rightsOf } from './rights.ts';
import { roleListParams, rolePageQuery } from './role-queries.ts';
import { texts as common, roleTexts as texts } from './texts.ts';
import classes from './users.module.css';

export function RolesPage() {
  const mayRead = useCan('roles:read');
  return (
    <Page>
      <PageHeader
        title={common.roles}
        about={texts.about}
        actions={
          <NewButton label={texts.newRole} group={common.roles} to="/roles/-/new" permission="roles:create" />
        }
      />
      <PeopleTabs />
      {mayRead ? <Roles /> : <InlineNotice kind="info">{missingPermission('roles:read')}</InlineNotice>}
    </Page>
  );
}

const LIST_TEXTS = { ...texts, title: common.roles, showAll: common.showAll };

function Roles() {
  const list = useListValues('/roles', roleListParams);
  const { values, change } = list;
  const navigate = useNavigate();
  const result = useQuery(rolePageQuery(values));
  const roles = result.data?.roles ?? [];
  return (
    <FindList
      {...{ list, result }}
      texts={LIST_TEXTS}
      total={result.data?.total}
      perPage={PER_PAGE}
      one="role"
      empty={undefined}
    >
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
    </FindList>
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
