import type { RoleRequest } from '@millrace/contract';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/api/index.ts';
import { type SortedListValues, sortedListParams } from '../../lib/url/index.ts';
import { PER_PAGE, ROLES } from './queries.ts';

export type RoleListValues = SortedListValues<'name' | 'description'>;

/** What the list of roles shows, in its URL. */
export const roleListParams = sortedListParams(['name', 'description'], 'name');

export function rolePageQuery({ find, sort, order, page }: RoleListValues) {
  return queryOptions({
    queryKey: [...ROLES, 'page', find, sort, order, page],
    queryFn: ({ signal }) =>
      call('GET /authz/roles', { query: { query: find, sort, order, page, per_page: PER_PAGE }, signal }),
    placeholderData: keepPreviousData,
  });
}

export function roleQuery(rolename: string) {
  return queryOptions({
    queryKey: [...ROLES, 'one', rolename],
    queryFn: ({ signal }) => call('GET /roles/{rolename}', { path: { rolename }, signal }),
  });
}

export const MEMBERS_PER_PAGE = 25;

export function membersQuery(rolename: string, query: { readonly query: string; readonly page: number }) {
  return queryOptions({
    queryKey: [...ROLES, 'members', rolename, query],
    queryFn: ({ signal }) =>
      call('GET /roles/{rolename}/members', {
        path: { rolename },
        query: { ...query, per_page: MEMBERS_PER_PAGE },
        signal,
      }),
    placeholderData: keepPreviousData,
  });
}

/** Something that changes roles; lists of users show their roles, too. */
function useRoleMutation<Given, Answer>(mutationFn: (given: Given) => Promise<Answer>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ROLES }),
        client.invalidateQueries({ queryKey: ['users'] }),
      ]),
  });
}

export function useCreateRole() {
  return useRoleMutation((body: RoleRequest) => call('POST /roles', { body }));
}

export function useChangeRole(rolename: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: RoleRequest) => call('PUT /roles/{rolename}', { path: { rolename }, body }),
    onSuccess: (saved) => {
      client.setQueryData(roleQuery(saved.name).queryKey, saved);
      // Under its old name it is gone: its page would ask for what is not there.
      const isThere = (key: readonly unknown[]) => saved.name === rolename || !key.includes(rolename);
      return Promise.all([
        client.invalidateQueries({ queryKey: ROLES, predicate: ({ queryKey }) => isThere(queryKey) }),
        client.invalidateQueries({ queryKey: ['users'] }),
      ]);
    },
  });
}

export function useDeleteRole() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (rolename: string) => call('DELETE /roles/{rolename}', { path: { rolename } }),
    // Not the role itself: its page may still be there, and would ask for what is gone.
    onSuccess: () => client.invalidateQueries({ queryKey: [...ROLES, 'page'] }),
  });
}

export function useMember(rolename: string) {
  return useRoleMutation(({ username, isMember }: { username: string; isMember: boolean }) => {
    const path = { rolename, username };
    return isMember
      ? call('PUT /roles/{rolename}/members/{username}', { path })
      : call('DELETE /roles/{rolename}/members/{username}', { path });
  });
}
