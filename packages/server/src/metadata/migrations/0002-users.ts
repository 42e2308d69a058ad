import type { ColumnTypes } from '../columns.ts';
import type { Migration, MigrationDatabase } from '../migrate.ts';

export const users: Migration = {
  version: 2,
  name: 'users',
  async up(db, types) {
    await createUsers(db, types);
    await createRoles(db, types);
    await createAccessTokens(db, types);
    await createSessions(db, types);
  },
};

async function createUsers(db: MigrationDatabase, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('users')
    .addColumn('id', types.text, (column) => column.primaryKey())
    .addColumn('username', types.text, (column) => column.notNull())
    .addColumn('username_key', types.text, (column) => column.notNull().unique())
    .addColumn('search_key', types.text, (column) => column.notNull())
    .addColumn('email', types.text, (column) => column.notNull())
    .addColumn('full_name', types.text, (column) => column.notNull())
    .addColumn('first_name', types.text, (column) => column.notNull())
    .addColumn('last_name', types.text, (column) => column.notNull())
    .addColumn('password_hash', types.text, (column) => column.notNull())
    .addColumn('permissions', types.json, (column) => column.notNull())
    .addColumn('preferences', types.json, (column) => column.notNull())
    .addColumn('timezone', types.text)
    .addColumn('session_timeout_ms', types.integer, (column) => column.notNull())
    .addColumn('startpage', types.json)
    .addColumn('status', types.text, (column) => column.notNull())
    .addColumn('service_account', types.boolean, (column) => column.notNull())
    .addColumn('created_at', types.time, (column) => column.notNull())
    .addColumn('last_activity', types.time)
    .addColumn('client_address', types.text)
    .execute();
}

async function createRoles(db: MigrationDatabase, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('roles')
    .addColumn('id', types.text, (column) => column.primaryKey())
    .addColumn('name', types.text, (column) => column.notNull())
    .addColumn('name_key', types.text, (column) => column.notNull().unique())
    .addColumn('description', types.text, (column) => column.notNull())
    .addColumn('permissions', types.json, (column) => column.notNull())
    .addColumn('read_only', types.boolean, (column) => column.notNull())
    .addColumn('created_at', types.time, (column) => column.notNull())
    .execute();

  await db.schema
    .createTable('user_roles')
    .addColumn('user_id', types.text, (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('role_id', types.text, (column) => column.notNull().references('roles.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('user_roles_pkey', ['user_id', 'role_id'])
    .execute();
  await db.schema.createIndex('user_roles_role').on('user_roles').column('role_id').execute();
}

async function createAccessTokens(db: MigrationDatabase, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('access_tokens')
    .addColumn('id', types.text, (column) => column.primaryKey())
    .addColumn('user_id', types.text, (column) => column.references('users.id').onDelete('cascade'))
    .addColumn('username', types.text, (column) => column.notNull())
    .addColumn('username_key', types.text, (column) => column.notNull())
    .addColumn('name', types.text, (column) => column.notNull())
    .addColumn('token_hash', types.text, (column) => column.notNull().unique())
    .addColumn('created_at', types.time, (column) => column.notNull())
    .addColumn('last_access', types.time, (column) => column.notNull())
    .execute();
  await db.schema.createIndex('access_tokens_user').on('access_tokens').column('user_id').execute();
  await db.schema.createIndex('access_tokens_username').on('access_tokens').column('username_key').execute();
}

async function createSessions(db: MigrationDatabase, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('sessions')
    .addColumn('id_hash', types.text, (column) => column.primaryKey())
    .addColumn('user_id', types.text, (column) => column.references('users.id').onDelete('cascade'))
    .addColumn('username', types.text, (column) => column.notNull())
    .addColumn('username_key', types.text, (column) => column.notNull())
    .addColumn('created_at', types.time, (column) => column.notNull())
    .addColumn('last_used_at', types.time, (column) => column.notNull())
    .addColumn('timeout_ms', types.integer, (column) => column.notNull())
    .addColumn('client_address', types.text)
    .execute();
  await db.schema.createIndex('sessions_user').on('sessions').column('user_id').execute();
  await db.schema.createIndex('sessions_username').on('sessions').column('username_key').execute();
}
