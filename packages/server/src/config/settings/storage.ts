import { types } from '#core/index.ts';
import { derived, optional, withDefault } from '../setting.ts';
import { clickHouseShard, metadataUri } from '../value-types.ts';

const IDENTIFIER = { pattern: /^[A-Za-z_][A-Za-z0-9_]{0,63}$/, expected: 'letters, digits and underscores' };

export const storageSettings = {
  metadata_uri: derived(
    metadataUri(),
    'an SQLite file in data_dir',
    'The database for users, streams, inputs and everything else that is not a message. The nodes of a cluster share a PostgreSQL.',
    { example: 'postgres://millrace:password@db.example.org:5432/millrace' },
  ),
  clickhouse_uri: optional(
    types.list(clickHouseShard()),
    'the embedded ClickHouse is started',
    'The ClickHouse server for messages, of version 26.7 or newer, or several: each then stores a part of them, as a shard. Shards have the same user and password, and read from each other at the native port of ClickHouse: 9000, with https 9440, or what `?native_port=` says behind the address. With clickhouse_replicated, `|` stands between the replicas of a shard.',
    {
      example: 'http://millrace:pw@ch-1.example.org:8123, http://millrace:pw@ch-2.example.org:8123',
    },
  ),
  clickhouse_database: withDefault(types.text(IDENTIFIER), 'millrace', 'The database in ClickHouse.'),
  clickhouse_cluster: optional(
    types.text(IDENTIFIER),
    'none',
    'The name of the cluster in the configuration of your ClickHouse servers. With it, statements that every replica must carry out are sent `ON CLUSTER`; without it, to every server that clickhouse_uri names.',
  ),
  clickhouse_replicated: withDefault(
    types.boolean(),
    'false',
    'Create replicated tables (ReplicatedMergeTree). The servers need ClickHouse Keeper and the macros `{shard}` and `{replica}` in their configuration.',
  ),
  clickhouse_insert_quorum: withDefault(
    types.integer({ min: 0, max: 100 }),
    '0',
    'How many replicas of a shard must have a batch before it counts as stored. 0: the one that it was sent to. Less than all of them, or nothing is stored while one is away.',
  ),
  clickhouse_cold_dir: optional(
    types.filePath(),
    'old messages stay in data_dir',
    'A directory on another disk, to which the embedded ClickHouse moves indices that are older than the index set says (`move_after_days`). Do not leave it out again while there are messages in it.',
    { example: '/mnt/archive/millrace' },
  ),
  clickhouse_storage_policy: optional(
    types.text(IDENTIFIER),
    'the default policy of the servers',
    'The storage policy of the tables on your own ClickHouse servers. Its first volume must be called `default` and have the disk `default`.',
    { example: 'tiered' },
  ),
  clickhouse_cold_volume: withDefault(
    types.text(IDENTIFIER),
    'cold',
    'The volume of clickhouse_storage_policy to which old indices are moved.',
  ),
  clickhouse_max_memory: derived(
    types.size({ min: '256mb', max: '1024tb' }),
    "40 % of the machine's memory, at least 512mb",
    'How much memory the embedded ClickHouse may take. A query that needs more fails; the server keeps running.',
    { example: '2gb' },
  ),
  backup_dir: derived(
    types.filePath(),
    'backups in data_dir',
    'The directory in which `npm run backup` makes a folder for each backup. Better on another disk. The embedded ClickHouse writes to no other place outside of data_dir.',
    { example: '/mnt/backups/millrace' },
  ),
  clickhouse_backup: optional(
    types.secret(),
    'messages on your own ClickHouse servers are not backed up',
    'Where the servers of clickhouse_uri put their backups, as ClickHouse writes it; `{name}` is replaced by the name of the backup and the number of the server. Not needed for the embedded ClickHouse.',
    { example: "Disk('backups', '{name}')" },
  ),
  restore_from: optional(
    types.filePath(),
    'nothing',
    'The folder of the backup that `npm run restore` brings back.',
    { notInFile: true, example: '/mnt/backups/millrace/2026-01-31T23-59-59Z' },
  ),
  migrate_from: optional(
    types.filePath(),
    'nothing',
    'The data_dir of the single node that `npm run migrate` moves to metadata_uri and clickhouse_uri.',
    { notInFile: true, example: '/var/lib/millrace' },
  ),
};
