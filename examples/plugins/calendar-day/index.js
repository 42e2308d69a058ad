import { definePlugin, defineRotation, field, types } from '@millrace/plugin-api';

const dayOf = (time) => new Date(time).toISOString().slice(0, 10);

/** Begins a new index at the first check of a day, in UTC, whatever its size. */
const rotation = defineRotation({
  id: 'calendar-day',
  name: 'Calendar day',
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

export default definePlugin({ components: [rotation] });
