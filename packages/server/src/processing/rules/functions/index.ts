/** All functions that rules can call. */
import { NameClash } from '#core/index.ts';
import type { PipelineFunction } from '../define.ts';
import { abbreviateFunction } from './abbreviate.ts';
import { anonymizeIpFunction } from './anonymize-ip.ts';
import { arrayContainsFunction } from './array-contains.ts';
import { arrayRemoveFunction } from './array-remove.ts';
import { base16DecodeFunction } from './base16-decode.ts';
import { base16EncodeFunction } from './base16-encode.ts';
import { base32DecodeFunction } from './base32-decode.ts';
import { base32EncodeFunction } from './base32-encode.ts';
import { base32humanDecodeFunction } from './base32human-decode.ts';
import { base32humanEncodeFunction } from './base32human-encode.ts';
import { base64DecodeFunction } from './base64-decode.ts';
import { base64EncodeFunction } from './base64-encode.ts';
import { base64urlDecodeFunction } from './base64url-decode.ts';
import { base64urlEncodeFunction } from './base64url-encode.ts';
import { capitalizeFunction } from './capitalize.ts';
import { cidrMatchFunction } from './cidr-match.ts';
import { cloneMessageFunction } from './clone-message.ts';
import { concatFunction } from './concat.ts';
import { containsFunction } from './contains.ts';
import { crc32Function } from './crc32.ts';
import { crc32cFunction } from './crc32c.ts';
import { createMessageFunction } from './create-message.ts';
import { csvToMapFunction } from './csv-to-map.ts';
import { dateDiffFunction } from './date-diff.ts';
import { daysFunction } from './days.ts';
import { debugFunction } from './debug.ts';
import { dropMessageFunction } from './drop-message.ts';
import { endsWithFunction } from './ends-with.ts';
import { expandSyslogPriorityFunction } from './expand-syslog-priority.ts';
import { expandSyslogPriorityAsStringFunction } from './expand-syslog-priority-as-string.ts';
import { firstNonNullFunction } from './first-non-null.ts';
import { flattenJsonFunction } from './flatten-json.ts';
import { flexParseDateFunction } from './flex-parse-date.ts';
import { formatDateFunction } from './format-date.ts';
import { fromInputFunction } from './from-input.ts';
import { getFieldFunction } from './get-field.ts';
import { grokFunction } from './grok.ts';
import { grokExistsFunction } from './grok-exists.ts';
import { hasFieldFunction } from './has-field.ts';
import { hexToDecimalByteListFunction } from './hex-to-decimal-byte-list.ts';
import { hoursFunction } from './hours.ts';
import { inPrivateNetFunction } from './in-private-net.ts';
import { isBoolFunction } from './is-bool.ts';
import { isCollectionFunction } from './is-collection.ts';
import { isDateFunction } from './is-date.ts';
import { isDoubleFunction } from './is-double.ts';
import { isIpFunction } from './is-ip.ts';
import { isJsonFunction } from './is-json.ts';
import { isListFunction } from './is-list.ts';
import { isLongFunction } from './is-long.ts';
import { isMapFunction } from './is-map.ts';
import { isNotNullFunction } from './is-not-null.ts';
import { isNullFunction } from './is-null.ts';
import { isNumberFunction } from './is-number.ts';
import { isPeriodFunction } from './is-period.ts';
import { isStringFunction } from './is-string.ts';
import { isUrlFunction } from './is-url.ts';
import { joinFunction } from './join.ts';
import { keyValueFunction } from './key-value.ts';
import { lengthFunction } from './length.ts';
import { listCountFunction } from './list-count.ts';
import { listGetFunction } from './list-get.ts';
import { lookupFunction } from './lookup.ts';
import { lookupAddStringListFunction } from './lookup-add-string-list.ts';
import { lookupAllFunction } from './lookup-all.ts';
import { lookupAssignTtlFunction } from './lookup-assign-ttl.ts';
import { lookupClearKeyFunction } from './lookup-clear-key.ts';
import { lookupHasValueFunction } from './lookup-has-value.ts';
import { lookupRemoveStringListFunction } from './lookup-remove-string-list.ts';
import { lookupSetStringListFunction } from './lookup-set-string-list.ts';
import { lookupSetValueFunction } from './lookup-set-value.ts';
import { lookupStringListFunction } from './lookup-string-list.ts';
import { lookupStringListContainsFunction } from './lookup-string-list-contains.ts';
import { lookupValueFunction } from './lookup-value.ts';
import { lowercaseFunction } from './lowercase.ts';
import { mapCopyFunction } from './map-copy.ts';
import { mapGetFunction } from './map-get.ts';
import { mapRemoveFunction } from './map-remove.ts';
import { mapSetFunction } from './map-set.ts';
import { md5Function } from './md5.ts';
import { metricCounterIncFunction } from './metric-counter-inc.ts';
import { millisFunction } from './millis.ts';
import { minutesFunction } from './minutes.ts';
import { monthsFunction } from './months.ts';
import { multiGrokFunction } from './multi-grok.ts';
import { murmur332Function } from './murmur3-32.ts';
import { murmur3128Function } from './murmur3-128.ts';
import { normalizeFieldsFunction } from './normalize-fields.ts';
import { nowFunction } from './now.ts';
import { parseCefFunction } from './parse-cef.ts';
import { parseDateFunction } from './parse-date.ts';
import { parseJsonFunction } from './parse-json.ts';
import { parseUnixMillisecondsFunction } from './parse-unix-milliseconds.ts';
import { periodFunction } from './period.ts';
import { regexFunction } from './regex.ts';
import { regexReplaceFunction } from './regex-replace.ts';
import { removeFieldFunction } from './remove-field.ts';
import { removeFromStreamFunction } from './remove-from-stream.ts';
import { removeMultipleFieldsFunction } from './remove-multiple-fields.ts';
import { removeSingleFieldFunction } from './remove-single-field.ts';
import { removeStringFieldsByValueFunction } from './remove-string-fields-by-value.ts';
import { renameFieldFunction } from './rename-field.ts';
import { renameFieldsFunction } from './rename-fields.ts';
import { replaceFunction } from './replace.ts';
import { routeToStreamFunction } from './route-to-stream.ts';
import { secondsFunction } from './seconds.ts';
import { selectJsonpathFunction } from './select-jsonpath.ts';
import { setFieldFunction } from './set-field.ts';
import { setFieldsFunction } from './set-fields.ts';
import { sha1Function } from './sha1.ts';
import { sha256Function } from './sha256.ts';
import { sha512Function } from './sha512.ts';
import { splitFunction } from './split.ts';
import { startsWithFunction } from './starts-with.ts';
import { stringArrayAddFunction } from './string-array-add.ts';
import { stringEntropyFunction } from './string-entropy.ts';
import { substringFunction } from './substring.ts';
import { swapcaseFunction } from './swapcase.ts';
import { syslogFacilityFunction } from './syslog-facility.ts';
import { syslogLevelFunction } from './syslog-level.ts';
import { toBoolFunction } from './to-bool.ts';
import { toDateFunction } from './to-date.ts';
import { toDoubleFunction } from './to-double.ts';
import { toIpFunction } from './to-ip.ts';
import { toListFunction } from './to-list.ts';
import { toLongFunction } from './to-long.ts';
import { toMapFunction } from './to-map.ts';
import { toStringFunction } from './to-string.ts';
import { toUrlFunction } from './to-url.ts';
import { trafficAccountingSizeFunction } from './traffic-accounting-size.ts';
import { uncapitalizeFunction } from './uncapitalize.ts';
import { uppercaseFunction } from './uppercase.ts';
import { urldecodeFunction } from './urldecode.ts';
import { urlencodeFunction } from './urlencode.ts';
import { weeksFunction } from './weeks.ts';
import { yearsFunction } from './years.ts';

const ALL: readonly PipelineFunction[] = [
  hasFieldFunction,
  getFieldFunction,
  setFieldFunction,
  setFieldsFunction,
  renameFieldFunction,
  renameFieldsFunction,
  removeFieldFunction,
  removeSingleFieldFunction,
  removeMultipleFieldsFunction,
  removeStringFieldsByValueFunction,
  normalizeFieldsFunction,
  dropMessageFunction,
  createMessageFunction,
  cloneMessageFunction,
  routeToStreamFunction,
  removeFromStreamFunction,
  fromInputFunction,
  trafficAccountingSizeFunction,
  toBoolFunction,
  toDoubleFunction,
  toLongFunction,
  toStringFunction,
  toMapFunction,
  toListFunction,
  toIpFunction,
  hexToDecimalByteListFunction,
  toUrlFunction,
  toDateFunction,
  isNullFunction,
  isNotNullFunction,
  isBoolFunction,
  isStringFunction,
  isLongFunction,
  isDoubleFunction,
  isNumberFunction,
  isCollectionFunction,
  isListFunction,
  isMapFunction,
  isDateFunction,
  isPeriodFunction,
  isIpFunction,
  isJsonFunction,
  isUrlFunction,
  abbreviateFunction,
  capitalizeFunction,
  uncapitalizeFunction,
  uppercaseFunction,
  lowercaseFunction,
  swapcaseFunction,
  concatFunction,
  containsFunction,
  startsWithFunction,
  endsWithFunction,
  substringFunction,
  replaceFunction,
  splitFunction,
  joinFunction,
  lengthFunction,
  stringEntropyFunction,
  firstNonNullFunction,
  regexFunction,
  regexReplaceFunction,
  grokFunction,
  multiGrokFunction,
  grokExistsFunction,
  keyValueFunction,
  csvToMapFunction,
  parseCefFunction,
  parseJsonFunction,
  selectJsonpathFunction,
  flattenJsonFunction,
  crc32Function,
  crc32cFunction,
  md5Function,
  murmur332Function,
  murmur3128Function,
  sha1Function,
  sha256Function,
  sha512Function,
  base16EncodeFunction,
  base16DecodeFunction,
  base32EncodeFunction,
  base32DecodeFunction,
  base32humanEncodeFunction,
  base32humanDecodeFunction,
  base64EncodeFunction,
  base64DecodeFunction,
  base64urlEncodeFunction,
  base64urlDecodeFunction,
  urlencodeFunction,
  urldecodeFunction,
  nowFunction,
  parseDateFunction,
  flexParseDateFunction,
  parseUnixMillisecondsFunction,
  formatDateFunction,
  dateDiffFunction,
  yearsFunction,
  monthsFunction,
  weeksFunction,
  daysFunction,
  hoursFunction,
  minutesFunction,
  secondsFunction,
  millisFunction,
  periodFunction,
  cidrMatchFunction,
  inPrivateNetFunction,
  anonymizeIpFunction,
  syslogFacilityFunction,
  syslogLevelFunction,
  expandSyslogPriorityFunction,
  expandSyslogPriorityAsStringFunction,
  arrayContainsFunction,
  arrayRemoveFunction,
  stringArrayAddFunction,
  listCountFunction,
  listGetFunction,
  mapCopyFunction,
  mapGetFunction,
  mapSetFunction,
  mapRemoveFunction,
  lookupFunction,
  lookupValueFunction,
  lookupHasValueFunction,
  lookupAllFunction,
  lookupStringListFunction,
  lookupStringListContainsFunction,
  lookupAddStringListFunction,
  lookupAssignTtlFunction,
  lookupClearKeyFunction,
  lookupRemoveStringListFunction,
  lookupSetStringListFunction,
  lookupSetValueFunction,
  debugFunction,
  metricCounterIncFunction,
];

const registered = new Map<string, PipelineFunction>(ALL.map((each) => [each.name, each]));

/** By name. */
export const FUNCTIONS: ReadonlyMap<string, PipelineFunction> = registered;

/** For plugins, before rules are compiled. Returns a function that takes it out again. */
export function registerFunction(added: PipelineFunction): () => void {
  if (registered.has(added.name)) throw new NameClash(`there is a pipeline function ${added.name} already`);
  registered.set(added.name, added);
  return () => void registered.delete(added.name);
}
