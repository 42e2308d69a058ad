/**
 * Wildcard permissions with the semantics of Apache Shiro, which Graylog's clients and role definitions
 * expect: parts are separated by `:`, a part is `*` or a comma list, and a grant that is shorter than what
 * is asked for includes it (`streams:read` includes `streams:read:<id>`). Comparison is case sensitive,
 * because instances are user names and ids.
 */

/** Which instances of a resource a set of permissions reaches. */
export type PermittedInstances = 'all' | ReadonlySet<string>;

export interface PermissionSet {
  /** The grants, as they were given. */
  readonly grants: readonly string[];
  /**
   * Whether any grant includes the whole of `permission`. `instance` is one more part, taken literally: it
   * comes from the path of a request, and `a:b`, `a,b` or `*` there must not mean more than itself.
   */
  implies(permission: string, instance?: string): boolean;
  /** The instances for which `permission` (`group:action`) is granted; `*` and shorter grants give `'all'`. */
  instancesOf(permission: string): PermittedInstances;
}

type Parts = readonly (readonly string[])[];

interface GrantNode {
  /** A grant ends here (or goes on with nothing but `*`): it includes this and everything below. */
  granted: boolean;
  readonly children: Map<string, GrantNode>;
}

const ANY = '*';
const NO_INSTANCES: ReadonlySet<string> = new Set();

function parseParts(permission: string): string[][] {
  return permission.split(':').map((part) => part.split(','));
}

/** The definition, one grant against one permission. The compiled set below must always agree with it. */
export function grantImplies(grant: string, asked: string): boolean {
  return partsImply(parseParts(grant), parseParts(asked));
}

function partsImply(grant: Parts, asked: Parts): boolean {
  for (const [index, askedPart] of asked.entries()) {
    const grantPart = grant[index];
    if (grantPart === undefined) return true;
    if (!grantPart.includes(ANY) && !askedPart.every((name) => grantPart.includes(name))) return false;
  }
  return grant.slice(asked.length).every((part) => part.includes(ANY));
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

function treeImplies(node: GrantNode, asked: readonly string[], index: number): boolean {
  if (node.granted) return true;
  const part = asked[index];
  if (part === undefined) return false;
  const child = node.children.get(part);
  if (child !== undefined && treeImplies(child, asked, index + 1)) return true;
  if (part === ANY) return false;
  const wildcard = node.children.get(ANY);
  return wildcard !== undefined && treeImplies(wildcard, asked, index + 1);
}

/**
 * Compiles grants for fast checks. Plain grants go into a tree, so that a check costs a few map look-ups
 * however many there are; grants with comma lists are rare and are compared one by one.
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
    const asked = parseParts(permission);
    if (instance !== undefined) asked.push([instance]);
    return [...withLists, ...(hasLists ? plain : [])].some((grant) => partsImply(grant, asked));
  };

  const instancesOf = (permission: string): PermittedInstances => {
    if (implies(permission)) return 'all';
    const asked = parseParts(permission);
    let instances: Set<string> | undefined;
    for (const grant of [...plain, ...withLists]) {
      const names = grant[asked.length];
      if (names === undefined) continue;
      if (!grant.slice(asked.length + 1).every((part) => part.includes(ANY))) continue;
      if (!partsImply(grant.slice(0, asked.length), asked)) continue;
      instances ??= new Set();
      for (const name of names) instances.add(name);
    }
    return instances ?? NO_INSTANCES;
  };

  return { grants: unique, implies, instancesOf };
}
