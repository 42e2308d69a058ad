import { formatHostPort, type Secret } from '#core/index.ts';

export interface AnnouncedInput {
  readonly title: string;
  readonly type: string;
  readonly state: string;
  readonly listening: { readonly address: string; readonly port: number } | undefined;
  readonly detailedMessage: string | undefined;
}

export interface StartedNode {
  /** Where the web interface is, with a slash at the end. */
  readonly address: string;
  readonly dataDir: string;
  readonly product: { readonly name: string; readonly version: string };
  readonly storage: string;
  readonly metadata: string;
  readonly inputs: readonly AnnouncedInput[];
  /**
   * Only at the first start, and only when no password is configured. Call `keep` after the password has been shown;
   * otherwise the next start generates another one.
   */
  readonly newAdministrator:
    | { readonly username: string; readonly password: Secret; keep(): void }
    | undefined;
}

/** What someone who typed `npm start` wants to know. */
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
    ...inputLines(node.inputs),
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
      ...firstMessage(node.inputs),
      '',
    );
  }
  lines.push('  Ctrl-C stops it.', '', '');
  return lines.join('\n');
}

/** More would push everything else off the screen; the API lists them all. */
const MAX_INPUTS = 8;
const NAME_WIDTH = 16;

function inputLines(inputs: readonly AnnouncedInput[]): string[] {
  if (inputs.length === 0) return [];
  const lines = inputs
    .slice(0, MAX_INPUTS)
    .map((input) => `    ${`${input.title.slice(0, NAME_WIDTH - 2)}`.padEnd(NAME_WIDTH)}${describe(input)}`);
  if (inputs.length > MAX_INPUTS) lines.push(`    and ${inputs.length - MAX_INPUTS} more`);
  return ['  Inputs:', '', ...lines, ''];
}

function describe({ type, state, listening, detailedMessage }: AnnouncedInput): string {
  if (listening !== undefined) return whereToSend(type, listening);
  const reason = detailedMessage === undefined ? '' : `: ${detailedMessage}`;
  return `${state.toLowerCase()}${reason}`;
}

function whereToSend(type: string, { address, port }: NonNullable<AnnouncedInput['listening']>): string {
  const place = formatHostPort(address, port);
  return type === 'gelf-http' ? `http://${place}/gelf` : place;
}

function firstMessage(inputs: readonly AnnouncedInput[]): string[] {
  const http = inputs.find(({ type, listening }) => type === 'gelf-http' && listening !== undefined);
  if (http?.listening === undefined) return [];
  const message = '{"host":"me","short_message":"Hello, Millrace"}';
  return [`    curl -d '${message}' ${whereToSend(http.type, http.listening)}`];
}
