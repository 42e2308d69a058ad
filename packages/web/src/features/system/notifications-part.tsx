import { IconBellCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { NotificationList } from '../../components/notification-list.tsx';
import { notificationsQuery } from '../../lib/notifications/index.ts';
import { notificationTexts as texts } from './texts.ts';

export function NotificationsPart() {
  const { data, error, refetch } = useQuery(notificationsQuery);
  return (
    <>
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {data !== undefined && data.total > 0 && <NotificationList notifications={data.notifications} />}
      {data?.total === 0 && (
        <EmptyState icon={<IconBellCheck size={20} />} title={texts.none}>
          {texts.noneWhy}
        </EmptyState>
      )}
    </>
  );
}
