import { compilePermissions } from '@millrace/contract/permission-set';
import type { QueryClient } from '@tanstack/react-query';
import { meQuery } from '../lib/account/index.ts';
import { call } from '../lib/api/index.ts';
import { reachableEntries } from './navigation.ts';

/** Where `/` leads: to the first steps while nothing is stored, else to the page this user begins with. */
export async function startPath(client: QueryClient): Promise<string> {
  const me = await client.ensureQueryData(meQuery);
  const permissions = compilePermissions(me.permissions);
  if (permissions.implies('messagecount:read')) {
    // The count may fail while the engine starts; that is no reason to show nobody anything.
    const stored = await call('GET /count/total').catch(() => undefined);
    if (stored?.events === 0) return '/welcome';
  }
  return reachableEntries(permissions)[0]?.to ?? '/welcome';
}
