/** The test kit: runs a plugin's components in the places in which a node runs them. For `npm run plugin -- test`. */
export * from '@millrace/server/plugin-api/testing';
