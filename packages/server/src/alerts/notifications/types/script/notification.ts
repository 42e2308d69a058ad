import { field, types } from '#core/index.ts';
import { commonFields, defineNotificationType, template } from '../../notification-type.ts';
import { eventPayload } from '../../payload.ts';
import { asIs } from '../../template/escape.ts';
import { templateModel } from '../../template/model.ts';
import { parseTemplate } from '../../template/template.ts';

const scriptFields = {
  script_path: field(
    types.text({
      maxLength: 200,
      pattern: /^[^/\\\p{Cc}]+$/u,
      expected: 'the name of a file in notification_scripts_dir, without a folder',
    }),
    {
      humanName: 'Script',
      description: 'The name of an executable file in notification_scripts_dir.',
      placeholder: 'call-operators.sh',
    },
  ),
  script_args: field(types.list(template()), {
    humanName: 'Arguments',
    description: 'Templates, one for each argument. No shell reads them.',
    default: [],
    optional: true,
  }),
  script_send_stdin: field(types.boolean(), {
    humanName: 'Send the notice to the input',
    description: 'As JSON of an event, as the HTTP notification sends it.',
    default: true,
    optional: true,
  }),
  script_timeout: field(types.duration({ min: '100ms', max: '5m' }), {
    humanName: 'Timeout',
    description: 'In milliseconds. A script that runs longer is killed.',
    default: 10_000,
    optional: true,
  }),
  ...commonFields,
};

export const scriptNotification = defineNotificationType({
  id: 'script',
  wireType: 'script-notification-v1',
  name: 'Script',
  description: 'Runs a program on the node. Off unless an operator sets notification_scripts_dir.',
  fields: scriptFields,
  isPrivileged: true,
  create: (context, config) => ({
    async send(notice, { signal }) {
      const model = templateModel(notice, context.webInterface());
      await context.scripts.run({
        script: config.script_path,
        args: config.script_args.map((source) =>
          // A NUL cannot be part of an argument.
          parseTemplate(source)
            .render(model, { escape: asIs, timeZone: config.time_zone })
            .replaceAll('\0', ''),
        ),
        stdin: config.script_send_stdin ? JSON.stringify(eventPayload(notice)) : '',
        timeoutMs: config.script_timeout,
        signal,
      });
      return {};
    },
  }),
});
