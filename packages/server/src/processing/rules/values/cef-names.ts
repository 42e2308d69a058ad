/** The dictionary of CEF extensions: what keys stand for, and which of them are not texts. */

/** Keys that are there several times, with a number at the end. */
function numbered(count: number, key: string, name: string): [string, string][] {
  return Array.from({ length: count }, (_, index) => [`${key}${index + 1}`, `${name}${index + 1}`]);
}

const withNumber = (count: number, key: string) => numbered(count, key, key).map(([each]) => each);

/** The long names of keys that have one. */
export const FULL_NAMES: ReadonlyMap<string, string> = new Map([
  ...numbered(6, 'cs', 'deviceCustomString'),
  ...numbered(4, 'cn', 'deviceCustomNumber'),
  ...numbered(4, 'cfp', 'deviceCustomFloatingPoint'),
  ...numbered(4, 'c6a', 'deviceCustomIPv6Address'),
  // Where it comes from.
  ['src', 'sourceAddress'],
  ['shost', 'sourceHostName'],
  ['smac', 'sourceMacAddress'],
  ['sntdom', 'sourceNtDomain'],
  ['spid', 'sourceProcessId'],
  ['sproc', 'sourceProcessName'],
  ['spt', 'sourcePort'],
  ['spriv', 'sourceUserPrivileges'],
  ['suid', 'sourceUserId'],
  ['suser', 'sourceUserName'],
  ['slat', 'sourceGeoLatitude'],
  ['slong', 'sourceGeoLongitude'],
  // Where it goes.
  ['dst', 'destinationAddress'],
  ['dhost', 'destinationHostName'],
  ['dmac', 'destinationMacAddress'],
  ['dntdom', 'destinationNtDomain'],
  ['dpid', 'destinationProcessId'],
  ['dproc', 'destinationProcessName'],
  ['dpt', 'destinationPort'],
  ['dpriv', 'destinationUserPrivileges'],
  ['duid', 'destinationUserId'],
  ['duser', 'destinationUserName'],
  ['dlat', 'destinationGeoLatitude'],
  ['dlong', 'destinationGeoLongitude'],
  // Who has seen it.
  ['dvc', 'deviceAddress'],
  ['dvchost', 'deviceHostName'],
  ['dvcmac', 'deviceMacAddress'],
  ['dvcpid', 'deviceProcessId'],
  ['dtz', 'deviceTimeZone'],
  ['cat', 'deviceEventCategory'],
  ['act', 'deviceAction'],
  ['rt', 'deviceReceiptTime'],
  // Who has passed it on.
  ['agt', 'agentAddress'],
  ['ahost', 'agentHostName'],
  ['aid', 'agentId'],
  ['amac', 'agentMacAddress'],
  ['art', 'agentReceiptTime'],
  ['at', 'agentType'],
  ['atz', 'agentTimeZone'],
  ['av', 'agentVersion'],
  // What it is.
  ['app', 'applicationProtocol'],
  ['proto', 'transportProtocol'],
  ['cnt', 'baseEventCount'],
  ['in', 'bytesIn'],
  ['out', 'bytesOut'],
  ['start', 'startTime'],
  ['end', 'endTime'],
  ['fname', 'filename'],
  ['fsize', 'fileSize'],
  ['msg', 'message'],
  ['outcome', 'eventOutcome'],
  ['request', 'requestUrl'],
]);

export const INTEGERS: ReadonlySet<string> = new Set([
  ...withNumber(4, 'cn'),
  ...withNumber(4, 'flexNumber'),
  ...['spt', 'dpt', 'sourceTranslatedPort', 'destinationTranslatedPort'],
  ...['spid', 'dpid', 'dvcpid'],
  ...['cnt', 'in', 'out', 'fsize', 'oldFileSize', 'eventId', 'type', 'deviceDirection'],
]);

export const NUMBERS: ReadonlySet<string> = new Set([
  ...withNumber(4, 'cfp'),
  ...['slat', 'slong', 'dlat', 'dlong'],
]);

export const DATES: ReadonlySet<string> = new Set([
  ...['rt', 'art', 'start', 'end'],
  ...withNumber(2, 'deviceCustomDate'),
  ...withNumber(4, 'flexDate'),
  ...['fileCreateTime', 'fileModificationTime', 'oldFileCreateTime', 'oldFileModificationTime'],
]);
