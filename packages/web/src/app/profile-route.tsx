import { ProfilePage } from '../features/profile/page.tsx';
import { usePermissions } from '../lib/account/index.ts';
import { reachableEntries } from './navigation.ts';

interface ProfileRouteProps {
  readonly startsAtTokens?: boolean;
}

/** The profile knows the pages of the rail only from here: features do not import the app. */
export function ProfileRoute({ startsAtTokens = false }: ProfileRouteProps) {
  return <ProfilePage pages={reachableEntries(usePermissions())} startsAtTokens={startsAtTokens} />;
}

export function TokensRoute() {
  return <ProfileRoute startsAtTokens />;
}
