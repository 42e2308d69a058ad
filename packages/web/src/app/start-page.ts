import { compilePermissions } from '@millrace/contract/permission-set';
import type { QueryClient } from '@tanstack/react-query';
import { pathOfStartpage } from '../features/profile/start-pages.ts';
import { meQuery, preferencesOf } from '../lib/account/index.ts';
import { ApiError, call } from '../lib/api/index.ts';
import { reachableEntries } from './navigation.ts';

/** Where `/` leads, as path and search: to the first steps while nothing is stored, else to the page this user begins with. */
export async function startPath(client: QueryClient): Promise<string> {
  const me = await client.ensureQueryData(meQuery);
  const permissions = compilePermissions(me.permissions);
  if (permissions.implies('messagecount:read')) {
    if ((await storedMessages()) === 0) return '/welcome';
  }
  const chosen = preferencesOf(me).startPath || pathOfStartpage(me.startpage);
  return chosen ?? reachableEntries(permissions)[0]?.to ?? '/welcome';
}

const STARTING_STATUS = 503;
const ATTEMPTS = 10;
const PAUSE_MS = 500;

/** Undefined when it cannot be known: then nobody is kept waiting for it. A storage that is just starting is awaited. */
async function storedMessages(): Promise<number | undefined> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    try {
      return (await call('GET /count/total')).events;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== STARTING_STATUS) return undefined;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
  return undefined;
}
