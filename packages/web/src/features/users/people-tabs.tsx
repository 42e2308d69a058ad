import { LinkTabs } from '../../components/link-tabs.tsx';
import { useCan } from '../../lib/account/index.ts';
import { texts } from './texts.ts';

/** Users and roles; nothing for those who may see only one of them. */
export function PeopleTabs() {
  const seesUsers = useCan('users:list');
  const seesRoles = useCan('roles:read');
  if (!seesUsers || !seesRoles) return null;
  return (
    <LinkTabs
      label={texts.usersAndRoles}
      tabs={[
        { to: '/users', label: texts.title },
        { to: '/roles', label: texts.roles },
      ]}
    />
  );
}
