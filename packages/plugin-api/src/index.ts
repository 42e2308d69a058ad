/** What a plugin imports. A node gives every plugin this copy, so a plugin need not install it. */
export * from '@millrace/server/plugin-api';
