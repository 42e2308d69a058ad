/** Every type of value there is, for `field(types.port(), …)`. A new type is a function here. */
export { list, nullable, object, record } from './composed-types.ts';
export { boolean, decimal, duration, integer, port, size } from './number-types.ts';
export {
  address,
  choice,
  choiceAsWritten,
  email,
  filePath,
  host,
  httpUri,
  httpUrl,
  oneOf,
  secret,
  text,
  timeZone,
} from './text-types.ts';
export { textType } from './value-type.ts';
