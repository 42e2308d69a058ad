/**
 * Wildcard permissions with the semantics of Apache Shiro, which Graylog's clients and role definitions expect: parts
 * are separated by `:`, a part is `*` or a comma-separated list, and a grant with fewer parts than the requested
 * permission includes it (`streams:read` includes `streams:read:<id>`). Comparison is case-sensitive, because instances
 * are user names and ids.
 */

/** The instances of a resource that a set of permissions covers. */
export type PermittedInstances = 'all' | ReadonlySet<string>;

export interface PermissionSet {
  /** The grants as given. */
  readonly grants: readonly string[];
  /**
   * Whether a grant includes all of `permission`. `instance` is one more part, taken literally: it comes from the path
   * of a request, so `a:b`, `a,b` or `*` in it must not act as syntax.
   */
  implies(permission: string, instance?: string): boolean;
  /** The instances for which `permission` (`group:action`) is granted; `'all'` for `*` and shorter grants. */
  instancesOf(permission: string): PermittedInstances;
}

type Parts = readonly (readonly string[])[];

interface GrantNode {
  /** A grant ends here, or has only `*` from here on: it includes this node and everything below. */
  granted: boolean;
  readonly children: Map<string, GrantNode>;
}

const ANY = '*';
const NO_INSTANCES: ReadonlySet<string> = new Set();

function parseParts(permission: string): string[][] {
  return permission.split(':').map((part) => part.split(','));
}

/** The definition, for one grant and one permission. The compiled set below must always agree with it. */
export function grantImplies(grant: string, requested: string): boolean {
  return partsImply(parseParts(grant), parseParts(requested));
}

function partsImply(grant: Parts, requested: Parts): boolean {
  for (const [index, requestedPart] of requested.entries()) {
    const grantPart = grant[index];
    if (grantPart === undefined) return true;
    if (!grantPart.includes(ANY) && !requestedPart.every((name) => grantPart.includes(name))) return false;
  }
  return grant.slice(requested.length).every((part) => part.includes(ANY));
}

function newNode(): GrantNode {
  return { granted: false, children: new Map() };
}

function addToTree(root: GrantNode, parts: Parts): void {
  // `streams:*:*` is the same grant as `streams`.
  let length = parts.length;
  while (length > 0 && parts[length - 1]?.[0] === ANY) length -= 1;
  let node = root;
  for (const part of parts.slice(0, length)) {
    const name = part[0] ?? '';
    let child = node.children.get(name);
    if (child === undefined) {
      child = newNode();
      node.children.set(name, child);
    }
    node = child;
  }
  node.granted = true;
}

function treeImplies(node: GrantNode, requested: readonly string[], index: number): boolean {
  if (node.granted) return true;
  const part = requested[index];
  if (part === undefined) return false;
  const child = node.children.get(part);
  if (child !== undefined && treeImplies(child, requested, index + 1)) return true;
  if (part === ANY) return false;
  const wildcard = node.children.get(ANY);
  return wildcard !== undefined && treeImplies(wildcard, requested, index + 1);
}

/**
 * Compiles grants for fast checks. Plain grants form a tree, so a check takes a few map look-ups regardless of their
 * number. Grants with comma-separated lists are rare and are compared one by one.
 */
export function compilePermissions(grants: Iterable<string>): PermissionSet {
  const unique = [...new Set(grants)];
  const root = newNode();
  const plain: Parts[] = [];
  const withLists: Parts[] = [];
  for (const grant of unique) {
    const parts = parseParts(grant);
    if (parts.every((part) => part.length === 1)) {
      addToTree(root, parts);
      plain.push(parts);
    } else {
      withLists.push(parts);
    }
  }

  const implies = (permission: string, instance?: string): boolean => {
    if (root.granted) return true;
    const hasLists = permission.includes(',');
    if (!hasLists) {
      const names = permission.split(':');
      if (instance !== undefined) names.push(instance);
      if (treeImplies(root, names, 0)) return true;
      if (withLists.length === 0) return false;
    }
    const requested = parseParts(permission);
    if (instance !== undefined) requested.push([instance]);
    return [...withLists, ...(hasLists ? plain : [])].some((grant) => partsImply(grant, requested));
  };

  const instancesOf = (permission: string): PermittedInstances => {
    if (implies(permission)) return 'all';
    const requested = parseParts(permission);
    let instances: Set<string> | undefined;
    for (const grant of [...plain, ...withLists]) {
      const names = grant[requested.length];
      if (names === undefined) continue;
      if (!grant.slice(requested.length + 1).every((part) => part.includes(ANY))) continue;
      if (!partsImply(grant.slice(0, requested.length), requested)) continue;
      instances ??= new Set();
      for (const name of names) instances.add(name);
    }
    return instances ?? NO_INSTANCES;
  };

  return { grants: unique, implies, instancesOf };
}
