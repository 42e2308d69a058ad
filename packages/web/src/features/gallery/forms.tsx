import { SchemaForm } from '../../components/schema-form.tsx';
import { ApiError } from '../../lib/api/index.ts';
import { type FormField, fieldsFromJsonSchema, MORE } from '../../lib/forms/index.ts';
import type { Exhibit } from './exhibit.ts';

const nothing = () => {};
const field = (name: string, kind: FormField['kind'], more: Partial<FormField> = {}): FormField => ({
  name,
  kind,
  label: name,
  help: `What ${name} is for.`,
  defaultValue: '',
  isOptional: false,
  choices: [],
  ...more,
});

const FIELDS: readonly FormField[] = [
  field('Address', 'text', { defaultValue: '0.0.0.0' }),
  field('Port', 'number', { defaultValue: 12201, min: 0, max: 65_535, isWhole: true }),
  field('Note', 'text', { isOptional: true, placeholder: 'Anything' }),
  field('Encoding', 'choice', { defaultValue: 'utf-8', choices: [{ value: 'utf-8', label: 'UTF-8' }] }),
  field('TLS', 'boolean', { defaultValue: false }),
  field('Key password', 'secret', { isOptional: true, dependsOn: { field: 'TLS', value: true } }),
  field('Idle time', 'number', { defaultValue: 60, unit: 's', isOptional: true, group: MORE }),
  field('Certificate', 'textarea', { isOptional: true, group: MORE }),
  field('Allowed addresses', 'list', { defaultValue: ['10.0.0.0/8'], isOptional: true, group: MORE }),
];

const ROTATION = fieldsFromJsonSchema({
  properties: {
    rotation_period: { type: 'string', default: 'P1D', description: 'ISO 8601: P1D, PT2H, …', maxLength: 40 },
    max_rotation_period: { default: null, anyOf: [{ type: 'string' }, { type: 'null' }] },
    rotate_empty_index_set: { type: 'boolean', default: false, description: 'Also when nothing was stored.' },
  },
});

const REFUSED = new ApiError('Invalid configuration.', {
  status: 400,
  problems: [{ path: 'configuration.Port', message: 'The port is in use.' }],
});

export const FORMS: readonly Exhibit[] = [
  {
    name: 'SchemaForm',
    states: [
      {
        title: 'Something new',
        content: <SchemaForm fields={FIELDS} submitLabel="Start" onSubmit={nothing} />,
      },
      {
        title: 'Refused by the server',
        content: (
          <SchemaForm
            fields={FIELDS}
            submitLabel="Start"
            onSubmit={nothing}
            onCancel={nothing}
            error={REFUSED}
          />
        ),
      },
      {
        title: 'A change, with a secret that is stored',
        content: (
          <SchemaForm
            fields={FIELDS}
            stored={{ TLS: true, 'Key password': 'stored' }}
            submitLabel="Save"
            onSubmit={nothing}
            isBusy
          />
        ),
      },
      {
        title: 'From a JSON Schema',
        content: <SchemaForm fields={ROTATION} submitLabel="Save" onSubmit={nothing} />,
      },
    ],
  },
];
