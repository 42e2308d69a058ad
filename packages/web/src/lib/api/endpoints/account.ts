import type {
  ChangePasswordRequest,
  ChangeUserRequest,
  CreateSessionRequest,
  Session,
  SessionValidity,
  User,
  UserPreferences,
} from '@millrace/contract';

export interface AccountEndpoints {
  'GET /system/sessions': { response: SessionValidity };
  'POST /system/sessions': { body: CreateSessionRequest; response: Session };
  'DELETE /system/sessions': { response: undefined };
  'GET /users/{username}': { response: User };
  'PUT /users/{username}': { body: Partial<ChangeUserRequest>; response: unknown };
  'PUT /users/{username}/password': { body: ChangePasswordRequest; response: undefined };
  'PUT /users/{username}/preferences': { body: { preferences: UserPreferences }; response: undefined };
}
