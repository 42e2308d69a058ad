/** HTTP headers as users configure them, with values that are shown or kept secret. */
import { validateHeaderName, validateHeaderValue } from 'node:http';
import { type ConfigurationProblem, field, types, type ValueType } from './schema/index.ts';
import { Secret } from './secret.ts';

const NOT_A_HEADER = 'has characters that an HTTP header cannot have';

/** The name and the value of a header. */
export function httpHeader<T>(value: ValueType<T>) {
  return types.object({
    name: field(
      types.text({
        maxLength: 200,
        check: (name) => (isHeader(name, 'x') ? undefined : 'a name that an HTTP header can have'),
      }),
      { humanName: 'Name', description: 'The name of the header.' },
    ),
    value: field(value, { humanName: 'Value', description: 'The value of the header.' }),
  });
}

/** What is wrong with the headers of the field `path`. */
export function headerProblems(
  path: string,
  headers: readonly { readonly name: string; readonly value: string | Secret }[],
): ConfigurationProblem[] {
  return headers.flatMap(({ name, value }, index) =>
    isHeader(name, value instanceof Secret ? value.reveal() : value)
      ? []
      : [{ path: `${path}[${index}].value`, message: NOT_A_HEADER }],
  );
}

export function isHeader(name: string, value: string): boolean {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
}
