import { useQuery } from '@tanstack/react-query';
import { InlineNotice } from '../../components/inline-notice.tsx';
import { NotificationList } from '../../components/notification-list.tsx';
import { useCan } from '../../lib/account/index.ts';
import type { ListedNode } from '../../lib/nodes/index.ts';
import { useSystemNotifications } from '../../lib/notifications/index.ts';
import classes from './overview.module.css';
import { storageHealthQuery } from './queries.ts';
import { texts } from './texts.ts';

/** Everything that is not as it should be. */
export function Attention({ nodes }: { readonly nodes: readonly ListedNode[] }) {
  const maySeeNotifications = useCan('notifications:read');
  const mayAskStorage = useCan('indexercluster:read');
  const notifications = useSystemNotifications();
  const { data: storage } = useQuery({ ...storageHealthQuery, enabled: mayAskStorage });
  const silent = nodes.filter(({ overview }) => overview === undefined);
  const isQuiet = notifications?.length === 0 && silent.length === 0 && storage === 'green';
  return (
    <section className={classes.section} aria-label={texts.attention}>
      <h2>{texts.attention}</h2>
      {storage === 'red' && (
        <InlineNotice kind="danger" title={texts.storageDown}>
          {texts.storageDownWhy}
        </InlineNotice>
      )}
      {storage === 'yellow' && (
        <InlineNotice kind="warn" title={texts.storagePartlyDown}>
          {texts.storagePartlyDownWhy}
        </InlineNotice>
      )}
      {silent.length > 0 && (
        <InlineNotice kind="danger" title={texts.nodesDown(silent.length)}>
          {silent.map(({ hostname, shortId }) => `${hostname} (${shortId})`).join(', ')}
        </InlineNotice>
      )}
      {notifications !== undefined && notifications.length > 0 && (
        <NotificationList notifications={notifications} />
      )}
      {isQuiet && <p className={classes.help}>{texts.nothing}</p>}
      {!maySeeNotifications && <p className={classes.help}>{texts.nothingKnown}</p>}
      {!mayAskStorage && <p className={classes.help}>{texts.storageUnknown}</p>}
    </section>
  );
}
