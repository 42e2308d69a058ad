const WITH_PORT = /^(?:\[(?<v6>[\da-f:.]+)\](?::\d+)?|(?<v4>[\d.]+):\d+)$/i;

/**
 * The address of the client, as reported by trusted proxies. Some write its port behind it, which differs with every
 * connection: each would count as another client when failed logins are counted.
 */
export function clientAddress({ ip }: { readonly ip: string }): string {
  const { v6, v4 } = WITH_PORT.exec(ip)?.groups ?? {};
  return v6 ?? v4 ?? ip;
}
