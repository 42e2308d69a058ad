import type { PermissionSet } from '@millrace/contract/permission-set';
import {
  type Icon,
  IconAlarm,
  IconDatabase,
  IconGitFork,
  IconPlugConnected,
  IconRoute,
  IconServer,
  IconShare3,
  IconTable,
  IconUser,
  IconUsers,
} from '@tabler/icons-react';
import type { QueryKey } from '@tanstack/react-query';
import { addressOf } from '../../../features/users/queries.ts';
import { mayReachAny } from '../../../lib/account/index.ts';
import { conditionSentence } from '../../../lib/alerts/index.ts';
import { call } from '../../../lib/api/index.ts';
import { inputSource } from '../../../lib/inputs/index.ts';
import { NODES } from '../../../lib/nodes/index.ts';
import { outputSource } from '../../../lib/outputs/index.ts';
import { findStreams } from '../../../lib/streams/index.ts';
import { stringifySearch } from '../../../lib/url/index.ts';

export interface PaletteObject {
  readonly id: string;
  readonly title: string;
}

/** What can be done with an object, beside going to its page. */
export interface ObjectAction {
  /** What the title stands behind, and before. */
  readonly before: string;
  readonly after?: string;
  readonly hrefOf: (object: PaletteObject) => string;
}

/** Objects that have a page of their own and a title by which they are found. */
export interface ObjectKind {
  readonly group: string;
  readonly icon: Icon;
  /** The first of it that fits is what Enter does. */
  readonly actions: readonly ObjectAction[];
  /** Begins with what a change of such an object asks for again. */
  readonly key: QueryKey;
  /** Asked for when the palette opens; the others when somebody types. */
  readonly isAtOnce?: boolean;
  readonly mayFind: (permissions: PermissionSet) => boolean;
  /** The first `count` by title; the server leaves out what the user may not read. */
  readonly find: (text: string, count: number, signal: AbortSignal) => Promise<readonly PaletteObject[]>;
}

const byTitle = (query: string, count: number) =>
  ({ query, page: 1, per_page: count, sort: 'title', order: 'asc' }) as const;

const titled = (choices: readonly { readonly value: string; readonly label: string }[]) =>
  choices.map(({ value: id, label: title }) => ({ id, title }));

export const OBJECT_KINDS: readonly ObjectKind[] = [
  {
    group: 'Streams',
    icon: IconGitFork,
    actions: [
      { before: 'Search ', hrefOf: ({ id }) => `/search?s=${id}` },
      { before: 'Stream ', hrefOf: ({ id }) => `/streams/${id}/rules` },
    ],
    key: ['streams', 'palette'],
    isAtOnce: true,
    mayFind: () => true,
    find: async (find, count, signal) => (await findStreams({ find, count }, signal)).streams,
  },
  {
    group: 'Inputs',
    icon: IconPlugConnected,
    actions: [
      {
        before: 'Search what ',
        after: ' received',
        hrefOf: ({ id }) => `/search${stringifySearch({ q: `gl2_source_input:${id}` })}`,
      },
      { before: 'Input ', hrefOf: ({ id }) => `/inputs/${id}` },
    ],
    key: [...inputSource.key, 'palette'],
    isAtOnce: true,
    mayFind: (permissions) => mayReachAny(permissions, 'inputs:read'),
    find: async (text, count, signal) => titled(await inputSource.find(text, count, signal)),
  },
  {
    group: 'Alert conditions',
    icon: IconAlarm,
    actions: [{ before: 'Condition ', hrefOf: ({ id }) => `/alerts/conditions/${id}` }],
    key: ['alerts', 'palette'],
    mayFind: (permissions) => mayReachAny(permissions, 'streams:read'),
    find: async (query, count, signal) => {
      const { conditions } = await call('GET /alerts/conditions/paginated', {
        query: { query, per_page: count, sort: 'title' },
        signal,
      });
      return conditions.map((condition) => ({
        id: condition.id,
        title: condition.title || conditionSentence(condition),
      }));
    },
  },
  {
    group: 'Pipelines',
    icon: IconRoute,
    actions: [{ before: 'Pipeline ', hrefOf: ({ id }) => `/pipelines/${id}` }],
    key: ['pipelines', 'palette'],
    mayFind: (permissions) => mayReachAny(permissions, 'pipeline:read'),
    find: async (query, count, signal) => {
      const options = { query: byTitle(query, count), signal };
      const { pipelines } = await call('GET /system/pipelines/pipeline/paginated', options);
      return pipelines.map(({ id, title }) => ({ id: id ?? '', title }));
    },
  },
  {
    group: 'Pipeline rules',
    icon: IconRoute,
    actions: [{ before: 'Rule ', hrefOf: ({ id }) => `/pipelines/rules/${id}` }],
    key: ['pipelines', 'palette', 'rules'],
    mayFind: (permissions) => mayReachAny(permissions, 'pipeline_rule:read'),
    find: async (query, count, signal) => {
      const options = { query: byTitle(query, count), signal };
      const { rules } = await call('GET /system/pipelines/rule/paginated', options);
      return rules.map(({ id, title }) => ({ id: id ?? '', title }));
    },
  },
  {
    group: 'Lookup tables',
    icon: IconTable,
    // They have no page of their own but a list that finds them.
    actions: [
      {
        before: 'Lookup table ',
        hrefOf: ({ title }) => `/pipelines/lookup${stringifySearch({ find: title })}`,
      },
    ],
    key: ['lookup', 'palette'],
    mayFind: (permissions) => permissions.implies('lookuptables:read'),
    find: async (query, count, signal) => {
      const options = { query: { ...byTitle(query, count), resolve: false }, signal };
      const { lookup_tables } = await call('GET /system/lookup/tables', options);
      return lookup_tables.map(({ id, title }) => ({ id: id ?? '', title }));
    },
  },
  {
    group: 'Outputs',
    icon: IconShare3,
    actions: [{ before: 'Output ', hrefOf: ({ id }) => `/outputs/${id}` }],
    key: [...outputSource.key, 'palette'],
    mayFind: (permissions) => mayReachAny(permissions, 'outputs:read'),
    find: async (text, count, signal) => titled(await outputSource.find(text, count, signal)),
  },
  {
    group: 'Index sets',
    icon: IconDatabase,
    actions: [{ before: 'Index set ', hrefOf: ({ id }) => `/index-sets/${id}` }],
    key: ['index-sets', 'palette'],
    mayFind: (permissions) => mayReachAny(permissions, 'indexsets:read'),
    find: async (query, limit, signal) => {
      const { index_sets } = await call('GET /system/indices/index_sets', {
        query: { query, limit, sort: 'title' },
        signal,
      });
      return index_sets.map(({ id, title }) => ({ id: id ?? '', title }));
    },
  },
  {
    group: 'Nodes',
    icon: IconServer,
    actions: [{ before: 'Node ', hrefOf: ({ id }) => `/nodes/${id}` }],
    key: [...NODES, 'palette'],
    mayFind: (permissions) => mayReachAny(permissions, 'system:read'),
    find: async (_text, _count, signal) => {
      const { nodes } = await call('GET /system/cluster/nodes', { signal });
      return nodes.map(({ node_id: id, short_node_id: short, hostname }) => ({
        id,
        title: `${hostname} ${short}`,
      }));
    },
  },
  {
    group: 'Users',
    icon: IconUser,
    actions: [{ before: 'User ', hrefOf: ({ id }) => `/users/${encodeURIComponent(id)}` }],
    key: ['users', 'palette'],
    mayFind: (permissions) => mayReachAny(permissions, 'users:list'),
    find: async (query, count, signal) => {
      const options = { query: { query, per_page: count }, signal };
      const { users, context } = await call('GET /users/paginated', options);
      // The user of the configuration is on no page of the server's list.
      const all = [...(context.admin_user === null ? [] : [context.admin_user]), ...users];
      return all.map((user) => ({ id: addressOf(user).name, title: nameOf(user) }));
    },
  },
  {
    group: 'Roles',
    icon: IconUsers,
    actions: [{ before: 'Role ', hrefOf: ({ id }) => `/roles/${encodeURIComponent(id)}` }],
    key: ['roles', 'palette'],
    mayFind: (permissions) => mayReachAny(permissions, 'roles:read'),
    find: async (query, count, signal) => {
      const { roles } = await call('GET /authz/roles', { query: { query, per_page: count }, signal });
      return roles.map(({ name }) => ({ id: name, title: name }));
    },
  },
];

/** By either name. */
function nameOf({ username, full_name: full }: { readonly username: string; readonly full_name: string }) {
  return full === '' || full === username ? username : `${username} (${full})`;
}
