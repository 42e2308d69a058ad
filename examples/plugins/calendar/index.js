import { definePlugin, defineRetention, defineRotation, field, types } from '@millrace/plugin-api';

const dayOf = (time) => new Date(time).toISOString().slice(0, 10);

/** Begins a new index on the first check of a day, in UTC, whatever its size. */
export const daily = defineRotation({
  id: 'calendar-day',
  name: 'Day of the calendar',
  description: 'Begins a new index every day at midnight UTC.',
  fields: {
    min_messages: field(types.integer({ min: 0 }), {
      humanName: 'Fewest messages',
      description: 'An index with fewer messages goes on for another day.',
      default: 1,
    }),
  },
  create: (_context, { min_messages: fewest }) => ({
    due({ createdAt, messages }, now) {
      if (messages < fewest || dayOf(createdAt) === dayOf(now)) return undefined;
      return `it is from ${dayOf(createdAt)}`;
    },
  }),
});

export const weeks = defineRetention({
  id: 'calendar-weeks',
  name: 'Weeks of daily indices',
  description: 'Deletes the oldest indices, so that a number of weeks stays. For indices of one day.',
  fields: {
    weeks: field(types.integer({ min: 1, max: 520 }), {
      humanName: 'Weeks',
      description: 'How many weeks stay.',
      default: 4,
    }),
  },
  create: (_context, config) => ({ action: 'delete', keep: config.weeks * 7 }),
});

export default definePlugin({ components: [daily, weeks] });
