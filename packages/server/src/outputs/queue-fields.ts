import { type ConfigurationOf, field, types } from '#core/index.ts';

/** The groups of a form. Where the destination is has none: that is always shown. */
export const GROUP = {
  messages: 'Messages',
  tls: 'TLS',
  authorization: 'Authorization',
  batches: 'Batches',
  queue: 'Queue',
  /** What few people need. */
  more: 'More',
} as const;

/** The queue of an output, which every type has. */
export const queueFields = {
  queue_max_size: field(types.size({ min: '16mb', max: '10tb' }), {
    humanName: 'Queue size',
    description:
      'Bytes of messages that may wait on the disk of each node while the destination is away or slow. The workers of the node share them evenly.',
    default: 1024 ** 3,
    optional: true,
    group: GROUP.queue,
  }),
  on_full: field(types.choice({ drop_oldest: 'Drop the oldest messages', block: 'Slow down the intake' }), {
    humanName: 'When the queue is full',
    description:
      'Dropped messages are counted and still stored here. Slowing down the intake loses nothing, but delays all messages of the node until the destination is back.',
    default: 'drop_oldest',
    optional: true,
    group: GROUP.queue,
  }),
};

export type QueueConfig = ConfigurationOf<typeof queueFields>;
