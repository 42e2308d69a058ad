import { errorMessage, field, types } from '#core/index.ts';
import { defineAdapter } from '../../adapter-type.ts';
import { createFileAdapter } from '../../file-adapter.ts';
import { type MmdbSingle, openMmdb } from '../../mmdb-source.ts';

const MAX_BYTES = 512 * 1024 * 1024;

/** Graylog's names of databases, and what the single value is. */
const SINGLE_VALUES: Readonly<Record<string, MmdbSingle>> = {
  MAXMIND_CITY: 'coordinates',
  MAXMIND_COUNTRY: 'country',
  MAXMIND_ASN: 'number',
  IPINFO_STANDARD_LOCATION: 'none',
  IPINFO_ASN: 'none',
};

export const maxmindAdapter = defineAdapter({
  id: 'maxmind_geoip',
  name: 'Geo IP database',
  description: 'Where an address is, or who owns it, from a file in the MaxMind DB format (.mmdb).',
  fields: {
    path: field(types.text({ minLength: 1, maxLength: 1000 }), {
      humanName: 'File',
      description: 'A file below lookup_files_dir of each node.',
      placeholder: 'GeoLite2-City.mmdb',
    }),
    database_type: field(
      types.choice({
        MAXMIND_CITY: 'City: the single value is latitude,longitude',
        MAXMIND_COUNTRY: 'Country: the single value is the code of the country',
        MAXMIND_ASN: 'ASN: the single value is the number of the system',
        IPINFO_STANDARD_LOCATION: 'IPinfo location: no single value',
        IPINFO_ASN: 'IPinfo ASN: no single value',
      }),
      {
        humanName: 'Database',
        description: 'What is in the file. The multi value is the whole record of the address.',
        default: 'MAXMIND_CITY',
      },
    ),
    check_interval: field(types.integer({ min: 1, max: 86_400 }), {
      humanName: 'Check interval',
      description: 'After this time the file is looked at again.',
      default: 1,
    }),
    check_interval_unit: field(
      types.choice({ SECONDS: 'seconds', MINUTES: 'minutes', HOURS: 'hours', DAYS: 'days' }),
      { humanName: 'Unit', description: 'The unit of the check interval.', default: 'MINUTES' },
    ),
  },
  create: ({ files }, config) => {
    const unit = { SECONDS: 1, MINUTES: 60, HOURS: 3600, DAYS: 86_400 }[config.check_interval_unit] ?? 60;
    const single = SINGLE_VALUES[config.database_type] ?? 'none';
    const refreshMs = Math.min(config.check_interval * unit, 86_400) * 1000;
    return createFileAdapter(
      files,
      { path: config.path, maxBytes: MAX_BYTES, refreshMs },
      async (content) => {
        const bytes = content.buffer;
        try {
          openMmdb(bytes);
        } catch (error) {
          throw new Error(`${config.path} is not a MaxMind database: ${errorMessage(error)}`);
        }
        return { kind: 'mmdb', bytes, single };
      },
    );
  },
});
