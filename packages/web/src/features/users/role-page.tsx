import type { Role } from '@millrace/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { ConfirmDeletion } from '../../components/confirm-deletion.tsx';
import { DeleteSection } from '../../components/delete-section.tsx';
import { missingPermission, usePermissionReason } from '../../components/disabled.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { InlineNotice } from '../../components/inline-notice.tsx';
import { OneOrWhyNot } from '../../components/one-or-why-not.tsx';
import { Page, PageHeader } from '../../components/page-header.tsx';
import { toast } from '../../components/toast.ts';
import { useCan } from '../../lib/account/index.ts';
import { RoleForm } from './role-form.tsx';
import { RoleMembers } from './role-members.tsx';
import { membersQuery, roleQuery, useChangeRole, useCreateRole, useDeleteRole } from './role-queries.ts';
import { texts as common, roleTexts as texts } from './texts.ts';

export function NewRolePage() {
  const reason = usePermissionReason('roles:create');
  const navigate = useNavigate();
  const create = useCreateRole();
  return (
    <Page>
      <PageHeader title={texts.newRole} about={texts.newAbout} />
      {reason === undefined ? (
        <RoleForm
          action={texts.create}
          isBusy={create.isPending || create.isSuccess}
          error={create.error}
          onCancel={() => void navigate({ to: '/roles' })}
          onSave={(request) =>
            create.mutate(request, {
              onSuccess: ({ name }) => {
                toast(texts.created(name));
                void navigate({ to: '/roles/$name', params: { name }, replace: true, ignoreBlocker: true });
              },
            })
          }
        />
      ) : (
        <EmptyState title={reason} />
      )}
    </Page>
  );
}

export function RolePage() {
  const { name = '' } = useParams({ strict: false });
  return (
    <OneOrWhyNot
      result={useQuery(roleQuery(name))}
      notFound={texts.notFound(name)}
      notFoundWhy={texts.notFoundWhy}
      forbidden={missingPermission('roles:read')}
      listPath="/roles"
      toList={texts.allRoles}
    >
      {(role) => <OneRole key={role.name} role={role} />}
    </OneOrWhyNot>
  );
}

function OneRole({ role }: { readonly role: Role }) {
  const navigate = useNavigate();
  const change = useChangeRole(role.name);
  const client = useQueryClient();
  const reason = usePermissionReason('roles:edit', role.name, texts.thisRole);
  const seesMembers = useCan('users:list');
  return (
    <Page>
      <PageHeader title={role.name} />
      {role.read_only && <InlineNotice kind="info">{texts.builtInAbout}</InlineNotice>}
      <RoleForm
        role={role}
        action={common.save}
        isBusy={change.isPending}
        error={change.error}
        reason={reason}
        onReload={async () => {
          const stored = await client.fetchQuery({ ...roleQuery(role.name), staleTime: 0 });
          change.reset();
          return stored;
        }}
        onSave={(request, onSaved) =>
          change.mutate(request, {
            onSuccess: (stored) => {
              const { name } = stored;
              toast(texts.saved(name));
              onSaved(stored);
              if (name !== role.name) {
                void navigate({ to: '/roles/$name', params: { name }, replace: true, ignoreBlocker: true });
              }
            },
          })
        }
      />
      {seesMembers && <RoleMembers role={role} />}
      {!role.read_only && <DeleteRole role={role} />}
    </Page>
  );
}

function DeleteRole({ role: { name } }: { readonly role: Role }) {
  const navigate = useNavigate();
  const seesMembers = useCan('users:list');
  const { data: members } = useQuery({
    ...membersQuery(name, { query: '', page: 1 }),
    enabled: seesMembers,
  });
  const remove = useDeleteRole();
  const reason = usePermissionReason('roles:delete', name, texts.thisRole);
  return (
    <DeleteSection heading={texts.deleteHeading} label={texts.delete} reason={reason}>
      {(close) => (
        <ConfirmDeletion
          question={texts.deleteQuestion(name, members?.total)}
          action={texts.delete}
          remove={remove}
          id={name}
          deleted={texts.deleted(name)}
          onDone={() => void navigate({ to: '/roles', replace: true, ignoreBlocker: true })}
          onCancel={close}
        />
      )}
    </DeleteSection>
  );
}
