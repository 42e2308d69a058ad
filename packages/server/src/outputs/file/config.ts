import { type ConfigurationOf, field, types } from '#core/index.ts';
import { serverFieldsField } from '../net/fields.ts';
import { GROUP } from '../queue-fields.ts';

const FOLDER = /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/;

export const fileFields = {
  folder: field(
    types.text({
      maxLength: 200,
      pattern: FOLDER,
      expected: 'a relative path of letters, digits, dots and hyphens, such as audit/logins',
    }),
    {
      humanName: 'Folder',
      description:
        'Below the directory for files of outputs on each node (output_files_dir). In it, the files are in a folder named by the id of the output, so outputs can share it. What is missing is created.',
      placeholder: 'audit',
    },
  ),
  rotate_size: field(types.size({ min: '1kb', max: '1tb' }), {
    humanName: 'Size of a file',
    description: 'A new file begins when the current one has this many bytes.',
    default: 100 * 1024 ** 2,
  }),
  rotate_time: field(types.choice({ hour: 'Each hour', day: 'Each day', never: 'Never' }), {
    humanName: 'New file',
    description: 'When a new file begins whatever the size of the current one, by UTC.',
    default: 'day',
  }),
  compression: field(types.choice({ gzip: 'gzip', none: 'None' }), {
    humanName: 'Compression',
    description: 'How files are compressed when they are complete.',
    default: 'gzip',
  }),
  keep_files: field(types.integer({ min: 0, max: 1_000_000 }), {
    humanName: 'Files to keep',
    description:
      'How many complete files of each worker are kept. The oldest are deleted when there are more. 0: all are kept.',
    default: 0,
    optional: true,
    group: GROUP.more,
  }),
  include_server_fields: serverFieldsField,
};

export type FileConfig = ConfigurationOf<typeof fileFields>;
