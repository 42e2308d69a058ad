import { definePlugin, defineRetention, field, types } from '@millrace/plugin-api';

const DAYS = 7;

const retention = defineRetention({
  id: 'calendar-weeks',
  name: 'Calendar weeks',
  description: 'Deletes the oldest indices, so that a number of weeks stays. For indices of one day each.',
  fields: {
    weeks: field(types.integer({ min: 1, max: 520 }), {
      humanName: 'Weeks',
      description: 'How many weeks stay.',
      default: 4,
    }),
  },
  create: (_context, { weeks }) => ({ action: 'delete', keep: weeks * DAYS }),
});

export default definePlugin({ components: [retention] });
