import { defineFunction, required } from '../define.ts';

const HEXADECIMAL = /^[0-9a-f]*$/i;

export const hexToDecimalByteListFunction = defineFunction({
  name: 'hex_to_decimal_byte_list',
  description:
    'Reads a text of hexadecimal digits as a list of bytes, each a number from 0 to 255. Other texts have no result.',
  params: [required('value', 'String', 'The text; it may start with 0x.')],
  returns: 'List',
  call: (_, value) => {
    const digits = value.replace(/^0x/i, '');
    if (!HEXADECIMAL.test(digits)) return undefined;
    return [...Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex')];
  },
});
