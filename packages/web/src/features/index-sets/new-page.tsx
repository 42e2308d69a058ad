import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { usePermissionReason } from '../../components/disabled.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Page, PageHeader } from '../../components/page-header.tsx';
import { toast } from '../../components/toast.ts';
import { strategiesQuery, useCreateSet } from './queries.ts';
import { SetForm } from './set-form.tsx';
import { texts } from './texts.ts';

export function NewIndexSetPage() {
  const navigate = useNavigate();
  const { data: strategies, error, refetch } = useQuery(strategiesQuery);
  const create = useCreateSet();
  const reason = usePermissionReason('indexsets:create');
  return (
    <Page>
      <PageHeader title={texts.newSet} about={texts.newAbout} />
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {reason !== undefined && <EmptyState title={reason} />}
      {strategies !== undefined && reason === undefined && (
        <SetForm
          strategies={strategies}
          noSubmitReason={reason}
          error={create.error}
          isBusy={create.isPending}
          isSaved={create.isSuccess}
          onSubmit={(draft) =>
            create.mutate(draft, {
              onSuccess: ({ id, title }) => {
                toast(texts.created(title));
                void navigate({ to: '/index-sets/$id', params: { id }, replace: true });
              },
            })
          }
          onCancel={() => void navigate({ to: '/index-sets' })}
        />
      )}
    </Page>
  );
}
