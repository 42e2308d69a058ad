import { z } from 'zod';
import type { Route } from './route.ts';

/**
 * Checks an answer against the schema of its status. Runs in tests only and throws on undeclared statuses, wrong types
 * and fields missing from the schema, which might be secrets.
 */
export function checkResponse(route: Route, status: number, body: unknown): void {
  const name = `${route.method} ${route.path}`;
  const declaration = route.responses[status];
  if (declaration === undefined) throw new Error(`${name} answers ${status}, which it does not declare`);
  if (declaration === null) {
    if (body !== undefined) throw new Error(`${name} declares no body for ${status} and sends one`);
    return;
  }
  if (!(declaration instanceof z.ZodType)) {
    if (body !== undefined) throw new Error(`${name} declares ${declaration.contentType} and sends JSON`);
    return;
  }
  // What the client receives, not what the handler returned: dates become strings, undefined disappears.
  const sent: unknown = body === undefined ? undefined : JSON.parse(JSON.stringify(body));
  const result = declaration.safeParse(sent);
  if (!result.success)
    throw new Error(
      `${name} answers ${status} but does not match its schema: ${z.prettifyError(result.error)}`,
    );
  const undeclared = undeclaredField(sent, result.data, '');
  if (undeclared !== undefined)
    throw new Error(`${name} sends the field ${undeclared}, which its schema does not have`);
}

/** The first field of `sent` that parsing left out. */
function undeclaredField(sent: unknown, parsed: unknown, path: string): string | undefined {
  if (typeof sent !== 'object' || sent === null || typeof parsed !== 'object' || parsed === null)
    return undefined;
  for (const [key, value] of Object.entries(sent)) {
    // Zod's records always leave it out.
    if (key === '__proto__') continue;
    if (!Object.hasOwn(parsed, key)) return `${path}.${key}`;
    const inner = undeclaredField(value, (parsed as Record<string, unknown>)[key], `${path}.${key}`);
    if (inner !== undefined) return inner;
  }
  return undefined;
}
