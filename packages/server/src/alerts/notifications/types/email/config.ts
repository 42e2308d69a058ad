import { type ConfigurationOf, type ConfigurationProblem, field, types } from '#core/index.ts';
import { commonFields, GROUP, template } from '../../notification-type.ts';
import { DEFAULT_HTML_BODY, DEFAULT_SUBJECT, DEFAULT_TEXT_BODY } from './default-templates.ts';

export const emailFields = {
  email_recipients: field(types.list(types.email()), {
    humanName: 'Addresses',
    description: 'Each gets a mail of its own.',
    default: [],
    optional: true,
  }),
  user_recipients: field(types.list(types.text({ maxLength: 100 })), {
    humanName: 'Users',
    description: 'User names. The mail goes to the address of their profile, with times in their time zone.',
    default: [],
    optional: true,
  }),
  subject: field(template(), {
    humanName: 'Subject',
    description: 'A template.',
    default: DEFAULT_SUBJECT,
    optional: true,
    group: GROUP.template,
  }),
  body_template: field(template({ multiline: true }), {
    humanName: 'Text',
    description: 'A template of the plain text part.',
    default: DEFAULT_TEXT_BODY,
    optional: true,
    group: GROUP.template,
  }),
  html_body_template: field(template({ multiline: true }), {
    humanName: 'HTML',
    description:
      'A template of the HTML part; values are escaped. Without one, a mail whose text is the default has a matching HTML part, and others have none.',
    optional: true,
    group: GROUP.template,
  }),
  sender: field(types.email(), {
    humanName: 'Sender',
    description: 'Instead of transport_email_from_email.',
    optional: true,
    group: GROUP.more,
  }),
  reply_to: field(types.email(), {
    humanName: 'Reply to',
    description: 'Where answers go.',
    optional: true,
    group: GROUP.more,
  }),
  ...commonFields,
};

export type EmailConfig = ConfigurationOf<typeof emailFields>;

/** The HTML of a mail, if it has any. */
export function htmlTemplateOf({ body_template, html_body_template }: EmailConfig): string | undefined {
  if (html_body_template !== undefined) return html_body_template;
  return body_template === DEFAULT_TEXT_BODY ? DEFAULT_HTML_BODY : undefined;
}

const MOST_RECEIVERS = 100;

export function emailProblems({ email_recipients, user_recipients }: EmailConfig): ConfigurationProblem[] {
  const receivers = email_recipients.length + user_recipients.length;
  if (receivers > MOST_RECEIVERS) {
    return [
      {
        path: 'email_recipients',
        message: `has ${receivers} receivers together with user_recipients, at most ${MOST_RECEIVERS} are possible; use a mailing list`,
      },
    ];
  }
  return [];
}
