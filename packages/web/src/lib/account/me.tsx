import type { PermissionName, User } from '@millrace/contract';
import { compilePermissions, type PermissionSet } from '@millrace/contract/permission-set';
import { type QueryClient, queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { ApiError, call } from '../api/index.ts';

/** Who is logged in, with everything they may do. Fails with 401 when nobody is. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  staleTime: 60_000,
  // While nobody knows who is there, there is no page that could say that it waits.
  networkMode: 'always',
  queryFn: async ({ signal }): Promise<User> => {
    const session = await call('GET /system/sessions', { signal, isLoginCheck: true });
    if (session.username === null) throw new ApiError('Nobody is logged in.', { status: 401 });
    return await call('GET /users/{username}', {
      path: { username: session.username },
      signal,
      isLoginCheck: true,
    });
  },
});

/** False also while the server does not answer: then the form says so. */
export async function isLoggedIn(client: QueryClient): Promise<boolean> {
  return client.fetchQuery({ ...meQuery, staleTime: 0, retry: false }).then(
    () => true,
    () => false,
  );
}

const PermissionContext = createContext<PermissionSet>(compilePermissions([]));

/** Knows who is logged in to everything below. Only inside of pages that need a log-in. */
export function AccountProvider({ children }: { readonly children: ReactNode }) {
  const { permissions } = useMe();
  const compiled = useMemo(() => compilePermissions(permissions), [permissions]);
  return <PermissionContext value={compiled}>{children}</PermissionContext>;
}

export function useMe(): User {
  return useSuspenseQuery(meQuery).data;
}

export function usePermissions(): PermissionSet {
  return useContext(PermissionContext);
}

/** Whether the permission is granted, for everything or for this one thing. The server decides the same way. */
export function useCan(permission: PermissionName, instance?: string): boolean {
  return usePermissions().implies(permission, instance);
}

/** Whether it is granted for anything at all: then there is a page worth opening. */
export function mayReachAny(permissions: PermissionSet, permission: PermissionName): boolean {
  const instances = permissions.instancesOf(permission);
  return instances === 'all' || instances.size > 0;
}
