import type {
  AccessToken,
  CreatedToken,
  CreateUserRequest,
  PagingQuery,
  Role,
  RoleMembers,
  RoleMembersQuery,
  RolePage,
  RoleRequest,
  UserPage,
  UserPageQuery,
} from '@millrace/contract';

export interface UserEndpoints {
  'GET /users/paginated': { query: Partial<UserPageQuery>; response: UserPage };
  'POST /users': {
    body: Omit<CreateUserRequest, 'permissions'> & { permissions?: string[] };
    response: undefined;
  };
  'DELETE /users/{username}': { response: undefined };
  'PUT /users/{username}/status/{status}': { response: undefined };
  'GET /users/{username}/tokens': { response: { tokens: readonly AccessToken[] } };
  'POST /users/{username}/tokens/{name}': { response: CreatedToken };
  /** By its id. */
  'DELETE /users/{username}/tokens/{name}': { response: undefined };
  'GET /authz/roles': { query: Partial<PagingQuery>; response: RolePage };
  'POST /roles': { body: RoleRequest; response: Role };
  'GET /roles/{rolename}': { response: Role };
  'PUT /roles/{rolename}': { body: RoleRequest; response: Role };
  'DELETE /roles/{rolename}': { response: undefined };
  'GET /roles/{rolename}/members': { query: Partial<RoleMembersQuery> | undefined; response: RoleMembers };
  'PUT /roles/{rolename}/members/{username}': { response: undefined };
  'DELETE /roles/{rolename}/members/{username}': { response: undefined };
}
