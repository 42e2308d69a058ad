import { appendFile } from 'node:fs/promises';
import { defineNotification, definePlugin, field, triesAgain, types } from '@millrace/plugin-api';

const notification = defineNotification({
  id: 'file-notice',
  name: 'File notice',
  description: 'Appends a line of JSON to a file for each notice about an alert.',
  fields: {
    file: field(types.text({ maxLength: 1000 }), {
      humanName: 'File',
      description: 'An absolute path. The node must be allowed to write there.',
      placeholder: '/var/log/alerts.ndjson',
    }),
  },
  // Whoever may change a stream could write to any file of the node otherwise.
  isPrivileged: true,
  create: (_context, { file }) => ({
    async send(notice) {
      const line = { kind: notice.kind, rule: notice.rule.title, result: notice.resultDescription };
      try {
        await appendFile(file, `${JSON.stringify(line)}\n`);
      } catch (error) {
        throw triesAgain(`cannot write to ${file}: ${error.message}`, error);
      }
      return {};
    },
  }),
});

export default definePlugin({ components: [notification] });
