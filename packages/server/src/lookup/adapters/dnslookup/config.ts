import { isIP } from 'node:net';
import { type ConfigurationOf, field, formatHostPort, parseHostPort, types } from '#core/index.ts';

export const dnsLookupFields = {
  lookup_type: field(
    types.choice({
      A: 'The IPv4 addresses of a name (A)',
      AAAA: 'The IPv6 addresses of a name (AAAA)',
      A_AAAA: 'All addresses of a name (A and AAAA)',
      PTR: 'The name of an address (PTR)',
      TXT: 'The texts of a name (TXT)',
    }),
    { humanName: 'Lookup type', description: 'What to ask for.', default: 'A' },
  ),
  server_ips: field(
    types.text({
      minLength: 0,
      maxLength: 1000,
      check: (text) =>
        serversOf(text) === undefined
          ? 'addresses of DNS servers, separated by commas, such as 192.0.2.1, 192.0.2.2:5353'
          : undefined,
    }),
    {
      humanName: 'DNS servers',
      description: 'Addresses with optional ports, separated by commas. Empty: those of the system.',
      default: '',
      emptyIsValue: true,
    },
  ),
  request_timeout: field(types.integer({ min: 1, max: 60_000 }), {
    humanName: 'Timeout',
    description: 'Milliseconds after which an answer no longer counts.',
    default: 10_000,
  }),
  cache_ttl_override_enabled: field(types.boolean(), {
    humanName: 'Other time to live',
    description: 'Whether answers are kept for another time than the DNS server says.',
    default: false,
  }),
  cache_ttl_override: field(types.nullable(types.integer({ min: 1, max: 1_000_000_000 })), {
    humanName: 'Time to live',
    description: 'How long answers are kept, if it is not what the DNS server says.',
    default: null,
    dependsOn: { field: 'cache_ttl_override_enabled', value: true },
  }),
  cache_ttl_override_unit: field(
    types.nullable(
      types.choice({
        MILLISECONDS: 'milliseconds',
        SECONDS: 'seconds',
        MINUTES: 'minutes',
        HOURS: 'hours',
        DAYS: 'days',
      }),
    ),
    {
      humanName: 'Unit',
      description: 'The unit of the time to live.',
      default: 'MINUTES',
      dependsOn: { field: 'cache_ttl_override_enabled', value: true },
    },
  ),
};

export type DnsLookupConfig = ConfigurationOf<typeof dnsLookupFields>;

/** As Node writes them; undefined: something is not an address. */
export function serversOf(text: string): readonly string[] | undefined {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const servers = parts.map((part) => {
    if (isIP(part) !== 0) return part;
    const read = parseHostPort(part);
    return read !== undefined && isIP(read.host) !== 0 && read.port > 0
      ? formatHostPort(read.host, read.port)
      : undefined;
  });
  return servers.every((server) => server !== undefined) ? servers : undefined;
}

const UNIT_MS = { MILLISECONDS: 1, SECONDS: 1000, MINUTES: 60_000, HOURS: 3_600_000, DAYS: 86_400_000 };

/** Undefined: as long as the DNS server says. */
export function keptMsOf(config: DnsLookupConfig): number | undefined {
  const { cache_ttl_override: time, cache_ttl_override_unit: unit } = config;
  if (!config.cache_ttl_override_enabled || time === null) return undefined;
  return time * UNIT_MS[unit ?? 'MINUTES'];
}
