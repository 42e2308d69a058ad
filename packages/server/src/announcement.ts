import type { Secret } from '#core/index.ts';

export interface StartedNode {
  /** Where the web interface is, with a slash at the end. */
  readonly address: string;
  readonly dataDir: string;
  readonly product: { readonly name: string; readonly version: string };
  readonly storage: string;
  readonly metadata: string;
  /**
   * Only at the first start, and only when no password was configured. `keep` is called once the password
   * has been shown: before that, the next start makes up another one.
   */
  readonly newAdministrator:
    | { readonly username: string; readonly password: Secret; keep(): void }
    | undefined;
}

/** What a person who typed `npm start` wants to know, in plain words. */
export function startedMessage(node: StartedNode): string {
  const lines = [
    '',
    `  ${node.product.name} ${node.product.version} is running.`,
    '',
    `    Web interface   ${node.address}`,
    `    API browser     ${node.address}api/api-browser/`,
    `    Messages        ${node.storage}`,
    `    Metadata        ${node.metadata}`,
    `    Data            ${node.dataDir}`,
    '',
  ];
  if (node.newAdministrator) {
    const { username, password } = node.newAdministrator;
    lines.push(
      '  First start: sign in with this user. The password is shown only this once.',
      '',
      `    User            ${username}`,
      `    Password        ${password.reveal()}`,
      '',
      '  Try next:',
      '',
      `    curl -u ${username}:${password.reveal()} '${node.address}api/cluster?pretty=true'`,
      '',
    );
  }
  lines.push('  Ctrl-C stops it.', '', '');
  return lines.join('\n');
}
