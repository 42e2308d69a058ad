import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { errorCode, errorMessage } from '#core/index.ts';
import { defineAdapter } from '../../adapter-type.ts';
import { type LookupAnswer, NO_ANSWER } from '../../answer.ts';
import type { FetchedAnswer } from '../../remote/answer-cache.ts';
import { type DnsLookupConfig, dnsLookupFields, keptMsOf, serversOf } from './config.ts';

const MAX_CONCURRENT = 64;
/** Names without an answer are asked for again after this time, whatever the cache says. */
const NOTHING_KEPT_MS = 60_000;
const MAX_RECORDS = 100;

export const dnsLookupAdapter = defineAdapter({
  id: 'dnslookup',
  name: 'DNS lookup',
  description: 'Asks DNS servers for addresses of names, names of addresses, or texts.',
  fields: dnsLookupFields,
  create(_context, config) {
    const resolver = new Resolver({ timeout: config.request_timeout, tries: 1 });
    const servers = serversOf(config.server_ips) ?? [];
    if (servers.length > 0) resolver.setServers(servers);
    const keptMs = keptMsOf(config);
    return {
      kind: 'remote',
      maxConcurrent: MAX_CONCURRENT,
      usesExpired: true,
      async fetch(key) {
        const found = await ask(resolver, config.lookup_type, key.trim());
        if (found === undefined) return { answer: NO_ANSWER, ttlMs: NOTHING_KEPT_MS };
        return keptMs === undefined ? found : { ...found, ttlMs: keptMs };
      },
      close: () => resolver.cancel(),
    };
  },
});

interface AddressRecord {
  readonly address: string;
  readonly ttl: number;
  readonly version: 'IPv4' | 'IPv6';
}

/** Undefined: there is no such record. */
async function ask(
  resolver: Resolver,
  type: DnsLookupConfig['lookup_type'],
  key: string,
): Promise<FetchedAnswer | undefined> {
  if (type === 'PTR') return isIP(key) === 0 ? undefined : nameOf(resolver, key);
  if (!isHostName(key)) return undefined;
  switch (type) {
    case 'A':
      return addressAnswer(await addresses(resolver, key, 4), false);
    case 'AAAA':
      return addressAnswer(await addresses(resolver, key, 6), false);
    case 'A_AAAA':
      return addressAnswer(
        (await Promise.all([addresses(resolver, key, 4), addresses(resolver, key, 6)])).flat(),
        true,
      );
    case 'TXT':
      return textAnswer(await textsOf(resolver, key));
  }
}

async function addresses(resolver: Resolver, name: string, family: 4 | 6): Promise<AddressRecord[]> {
  const asked =
    family === 4 ? resolver.resolve4(name, { ttl: true }) : resolver.resolve6(name, { ttl: true });
  const records = (await orNothing(name, asked)) ?? [];
  return records.map(({ address, ttl }) => ({ address, ttl, version: family === 4 ? 'IPv4' : 'IPv6' }));
}

/** The shape of Graylog's answers. */
function addressAnswer(records: readonly AddressRecord[], showsVersion: boolean): FetchedAnswer | undefined {
  const known = records.slice(0, MAX_RECORDS);
  const [first] = known;
  if (first === undefined) return undefined;
  const results = known.map(({ address, ttl, version }) => ({
    ip_address: address,
    ...(showsVersion && { ip_version: version }),
    dns_ttl: ttl,
  }));
  const answer: LookupAnswer = {
    single: first.address,
    multi: { results },
    list: known.map(({ address }) => address),
  };
  return { answer, ttlMs: Math.min(...known.map(({ ttl }) => ttl)) * 1000 };
}

/** Node says nothing of the time to live of these. */
async function nameOf(resolver: Resolver, address: string): Promise<FetchedAnswer | undefined> {
  const [name] = (await orNothing(address, resolver.reverse(address))) ?? [];
  if (name === undefined) return undefined;
  const multi = { domain: domainOf(name), full_domain: name };
  return { answer: { single: name, multi, list: [name] } };
}

async function textsOf(resolver: Resolver, name: string): Promise<readonly string[]> {
  const records = (await orNothing(name, resolver.resolveTxt(name))) ?? [];
  return records.slice(0, MAX_RECORDS).map((pieces) => pieces.join(''));
}

function textAnswer(texts: readonly string[]): FetchedAnswer | undefined {
  if (texts.length === 0) return undefined;
  const multi = { raw_results: texts.map((value) => ({ value })) };
  return { answer: { single: null, multi, list: texts } };
}

/** That a name or a record does not exist is an answer. */
async function orNothing<T>(name: string, asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOTFOUND' || code === 'ENODATA') return undefined;
    throw new Error(`the DNS server did not answer for ${name.slice(0, 100)}: ${errorMessage(error)}`);
  }
}

/** The last two parts of a name: Graylog uses a list of registries, of which `co.uk` and the like need three. */
function domainOf(name: string): string {
  return name.split('.').slice(-2).join('.');
}

function isHostName(text: string): boolean {
  return text.length <= 253 && /^(?!-)[\w-]{1,63}(?:\.[\w-]{1,63})*\.?$/.test(text);
}
