import type { ChangeUserRequest, CreateUserRequest, User } from '@millrace/contract';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/api/index.ts';
import type { ListValues } from './list-params.ts';

const USERS = ['users'];
export const PER_PAGE = 50;

export function userPageQuery({ find, sort, order, page }: ListValues) {
  return queryOptions({
    queryKey: [...USERS, 'page', find, sort, order, page],
    queryFn: ({ signal }) =>
      call('GET /users/paginated', {
        query: { query: find.trim(), sort, order, page, per_page: PER_PAGE },
        signal,
      }),
    placeholderData: keepPreviousData,
  });
}

export function userQuery(username: string) {
  return queryOptions({
    queryKey: [...USERS, 'one', username],
    queryFn: ({ signal }) => call('GET /users/{username}', { path: { username }, signal }),
  });
}

/** `/users/new` is another page. */
export const isNameOfPage = (username: string) => username.toLowerCase() === 'new';

/** A user whose name is that of another page is found by id. */
export function addressOf({ id, username }: Pick<User, 'id' | 'username'>): { readonly name: string } {
  return { name: isNameOfPage(username) ? id : username };
}

/** Everything that is known of roles: asked again after a change. */
export const ROLES = ['roles'];

function useUserMutation<Input, Output>(mutationFn: (input: Input) => Promise<Output>) {
  const client = useQueryClient();
  return useMutation({ mutationFn, onSuccess: () => client.invalidateQueries({ queryKey: USERS }) });
}

export function useCreateUser() {
  return useUserMutation((body: Omit<CreateUserRequest, 'permissions'> & { permissions?: string[] }) =>
    call('POST /users', { body }),
  );
}

export function useChangeUser(username: string) {
  return useUserMutation((body: Partial<ChangeUserRequest>) =>
    call('PUT /users/{username}', { path: { username }, body }),
  );
}

export function useSetPassword(username: string) {
  return useMutation({
    mutationFn: (password: string) =>
      call('PUT /users/{username}/password', { path: { username }, body: { password } }),
  });
}

export function useSetStatus() {
  return useUserMutation(({ username, status }: { username: string; status: 'enabled' | 'disabled' }) =>
    call('PUT /users/{username}/status/{status}', { path: { username, status } }),
  );
}

export function useDeleteUser() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (username: string) => call('DELETE /users/{username}', { path: { username } }),
    // Not the user: their page may still be there, and would ask for what is gone.
    onSuccess: () => client.invalidateQueries({ queryKey: [...USERS, 'page'] }),
  });
}
