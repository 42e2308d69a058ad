/** Names of the stored message that no sender and no user can choose. Those with underscore belong to the search API. */
const PROTECTED: ReadonlySet<string> = new Set([
  'message',
  'source',
  'timestamp',
  'streams',
  '_id',
  '_index',
  '_type',
  '_source',
  '_score',
  '_all',
  '_ttl',
]);
const PROTECTED_PREFIX = 'gl2_';
const FIELD_NAME = /^[\w.-]+$/;

/** Whether an additional field may have this name. */
export function isFieldName(name: string): boolean {
  return FIELD_NAME.test(name);
}

/** Whether the server sets this field itself. */
export function isProtectedFieldName(name: string): boolean {
  return PROTECTED.has(name) || name.startsWith(PROTECTED_PREFIX);
}
