import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIPv4 } from 'node:net';
import type { CertificatePair } from '../input.ts';

/*
 * A self-signed X.509 certificate, written by hand as DER: Node signs but does not make certificates, and
 * the libraries that do bring twenty packages for what are eighty lines here. One fixed form: version 3,
 * ECDSA on P-256 with SHA-256, for server authentication only. Read it beside RFC 5280 §4.1:
 *
 *   Certificate  SEQUENCE { tbsCertificate, signatureAlgorithm, BIT STRING signature }
 *   tbs          SEQUENCE { [0] version, serial, signatureAlgorithm, issuer, SEQUENCE { from, until },
 *                           subject, subjectPublicKeyInfo, [3] extensions }
 */

export interface SelfSignedOptions {
  readonly commonName: string;
  /** DNS names and IPv4 addresses it is good for, besides the common name. */
  readonly alternativeNames: readonly string[];
  readonly nowMs: number;
  readonly days: number;
}

const DAY_MS = 86_400_000;
const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectId: 0x06,
  utf8String: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
  dnsName: 0x82,
  ipAddress: 0x87,
  context0: 0xa0,
  context3: 0xa3,
} as const;

const ECDSA_WITH_SHA256 = objectId('2a8648ce3d040302');
const COMMON_NAME = objectId('550403');
const SUBJECT_ALTERNATIVE_NAME = objectId('551d11');
const BASIC_CONSTRAINTS = objectId('551d13');
const EXTENDED_KEY_USAGE = objectId('551d25');
const SERVER_AUTHENTICATION = objectId('2b06010505070301');

export function createSelfSignedCertificate(options: SelfSignedOptions): CertificatePair {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const body = certificateBody(options, publicKey);
  const algorithm = sequence(ECDSA_WITH_SHA256);
  const der = sequence(body, algorithm, bitString(sign('sha256', body, privateKey)));
  return {
    certificate: pem('CERTIFICATE', der),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

function certificateBody(options: SelfSignedOptions, publicKey: KeyObject): Buffer {
  const name = sequence(
    element(
      TAG.set,
      sequence(COMMON_NAME, element(TAG.utf8String, Buffer.from(options.commonName.slice(0, 64)))),
    ),
  );
  // Yesterday, so that clients whose clock is behind accept it too.
  const validity = sequence(time(options.nowMs - DAY_MS), time(options.nowMs + options.days * DAY_MS));
  const names = [...new Set([options.commonName, ...options.alternativeNames])].map(alternativeName);
  const extensions = sequence(
    extension(BASIC_CONSTRAINTS, sequence(), true),
    extension(EXTENDED_KEY_USAGE, sequence(SERVER_AUTHENTICATION), false),
    extension(SUBJECT_ALTERNATIVE_NAME, sequence(...names), false),
  );
  return sequence(
    element(TAG.context0, element(TAG.integer, Buffer.from([2]))),
    element(TAG.integer, serialNumber()),
    sequence(ECDSA_WITH_SHA256),
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    element(TAG.context3, extensions),
  );
}

/** Positive and without leading zeros, as DER wants its integers. */
function serialNumber(): Buffer {
  const serial = randomBytes(16);
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40;
  return serial;
}

function alternativeName(name: string): Buffer {
  if (isIPv4(name)) return element(TAG.ipAddress, Buffer.from(name.split('.').map(Number)));
  return element(TAG.dnsName, Buffer.from(name, 'latin1'));
}

function extension(id: Buffer, value: Buffer, critical: boolean): Buffer {
  const flag = critical ? [element(TAG.boolean, Buffer.from([0xff]))] : [];
  return sequence(id, ...flag, element(TAG.octetString, value));
}

/** UTCTime has two digits for the year and ends with 2049. */
function time(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replace(/\.\d+Z$|\D/g, '');
  const year = Number(digits.slice(0, 4));
  return year < 2050
    ? element(TAG.utcTime, Buffer.from(`${digits.slice(2)}Z`))
    : element(TAG.generalizedTime, Buffer.from(`${digits}Z`));
}

function objectId(hex: string): Buffer {
  return element(TAG.objectId, Buffer.from(hex, 'hex'));
}

function bitString(bits: Buffer): Buffer {
  return element(TAG.bitString, Buffer.from([0]), bits);
}

function sequence(...content: readonly Buffer[]): Buffer {
  return element(TAG.sequence, ...content);
}

function element(tag: number, ...content: readonly Buffer[]): Buffer {
  const bytes = Buffer.concat(content);
  if (bytes.length < 0x80) return Buffer.concat([Buffer.from([tag, bytes.length]), bytes]);
  const length = Buffer.from(bytes.length.toString(16).padStart(4, '0'), 'hex');
  const digits = bytes.length < 0x100 ? length.subarray(1) : length;
  return Buffer.concat([Buffer.from([tag, 0x80 | digits.length]), digits, bytes]);
}

function pem(label: string, der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
