const LEVELS = ['Emergency', 'Alert', 'Critical', 'Error', 'Warning', 'Notice', 'Informational', 'Debug'];
/** As Graylog's functions name them: some differ from the names of RFC 5424 that syslog outputs write. */
const FACILITIES = [
  'kern',
  'user',
  'mail',
  'daemon',
  'auth',
  'syslog',
  'lpr',
  'news',
  'uucp',
  'clock',
  'authpriv',
  'ftp',
  'ntp',
  'log audit',
  'log alert',
  'cron',
  'local0',
  'local1',
  'local2',
  'local3',
  'local4',
  'local5',
  'local6',
  'local7',
];

export function levelName(level: number): string {
  return LEVELS[level] ?? 'Unknown';
}

export function facilityName(facility: number): string {
  return FACILITIES[facility] ?? 'Unknown';
}
