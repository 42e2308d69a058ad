import { ProfilePage } from '../features/profile/page.tsx';
import { usePermissions } from '../lib/account/index.ts';
import { reachableEntries } from './navigation.ts';

/** The profile knows the pages of the rail only from here: features do not import the app. */
export function ProfileRoute() {
  return <ProfilePage pages={reachableEntries(usePermissions())} />;
}
