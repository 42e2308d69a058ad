import { definePlainConverter } from '../converter.ts';

const IPV4 = /(\d{1,3}\.\d{1,3}\.\d{1,3})\.\d{1,3}/g;

export const ipAnonymizer = definePlainConverter(
  {
    id: 'ip_anonymizer',
    name: 'Anonymize IPv4 addresses',
    description: 'Replaces the last part of every IPv4 address in the text by xxx.',
  },
  { kind: 'value', convert: (text) => text.replaceAll(IPV4, '$1.xxx') },
);
