/** The names of objects: a path with parts that come from the messages. */

const PLACEHOLDERS = ['yyyy', 'mm', 'dd', 'hh', 'worker', 'output', 'id'] as const;
type Placeholder = (typeof PLACEHOLDERS)[number];

/** With the output: a message may be the first one of a batch in two of them that write to the same bucket. */
export const DEFAULT_KEY = 'millrace/{yyyy}/{mm}/{dd}/{hh}/{id}-{output}.ndjson.gz';

export interface KeyParts {
  /** Of the first message, milliseconds since the epoch. */
  readonly timestamp: number;
  /** Of the first message: the same when the batch is sent again, so that the object is replaced. */
  readonly id: string;
  readonly partition: number;
  readonly outputId: string;
}

/** What a template is expected to be when it is not right; undefined when it is. */
export function keyTemplateProblem(template: string): string | undefined {
  const unknown = [...template.matchAll(/\{([^}]*)\}/g)].find(([, name]) => !isPlaceholder(name ?? ''));
  if (unknown)
    return `a path with no other placeholders than ${PLACEHOLDERS.map((each) => `{${each}}`).join(', ')}`;
  if (!template.includes('{id}')) return 'a path with {id}, so that no object replaces another';
  if (!/^[\w.={}-]+(?:\/[\w.={}-]+)*$/.test(template) || template.length > 900)
    return 'a path of letters, digits and . _ - =, that neither begins nor ends with /';
  if (template.split('/').some((part) => /^\.+$/.test(part))) return 'a path without the parts . and ..';
  return undefined;
}

export function objectKey(template: string, { timestamp, id, partition, outputId }: KeyParts): string {
  const [date = '', hour = ''] = new Date(timestamp).toISOString().split('T');
  const [yyyy = '', mm = '', dd = ''] = date.replace(/^[+-]0*/, '').split('-');
  const values: Record<Placeholder, string> = {
    yyyy,
    mm,
    dd,
    hh: hour.slice(0, 2),
    worker: String(partition),
    output: outputId,
    id,
  };
  return template.replaceAll(/\{([^}]*)\}/g, (whole, name: string) =>
    isPlaceholder(name) ? values[name] : whole,
  );
}

function isPlaceholder(name: string): name is Placeholder {
  return PLACEHOLDERS.some((each) => each === name);
}
