import { createComponentRegistry } from '#core/index.ts';
import type { AdapterType } from './adapter-type.ts';
import { csvFileAdapter } from './adapters/csvfile/adapter.ts';
import { dnsLookupAdapter } from './adapters/dnslookup/adapter.ts';
import { httpJsonPathAdapter } from './adapters/httpjsonpath/adapter.ts';
import { keyValueAdapter } from './adapters/keyvalue/adapter.ts';
import { maxmindAdapter } from './adapters/maxmind/adapter.ts';
import { staticAdapter } from './adapters/static/adapter.ts';
import type { CacheType } from './cache-type.ts';
import { guavaCache } from './caches/guava.ts';
import { noCache } from './caches/none.ts';

/** Every type of data adapter there is. A new one is its folder and a line here. */
export const ADAPTER_TYPES = createComponentRegistry<AdapterType>('data adapter', [
  csvFileAdapter,
  staticAdapter,
  maxmindAdapter,
  httpJsonPathAdapter,
  dnsLookupAdapter,
  keyValueAdapter,
]);

export const CACHE_TYPES = createComponentRegistry<CacheType>('lookup cache', [noCache, guavaCache]);
