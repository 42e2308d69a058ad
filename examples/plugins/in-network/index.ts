import { BlockList, isIP } from 'node:net';
import { definePlugin, defineStreamRule } from '@millrace/plugin-api';

/** A rule `client_ip` *is in the network* `10.0.0.0/8`. */
const rule = defineStreamRule({
  id: 'in-network',
  name: 'In network',
  number: 128,
  verb: 'is in the network',
  description: 'The field is an address in a network such as 10.0.0.0/8 or 2001:db8::/32.',
  compile(value) {
    const [address = '', length] = value.trim().split('/');
    const family = isIP(address);
    if (family === 0) throw new Error('write an address, or a network such as 10.0.0.0/8');
    const most = family === 4 ? 32 : 128;
    const bits = length === undefined ? most : Number(length);
    if (!Number.isInteger(bits) || bits < 0 || bits > most) {
      throw new Error(`the number after the slash is from 0 to ${most}`);
    }
    const networks = new BlockList();
    networks.addSubnet(address, bits, family === 4 ? 'ipv4' : 'ipv6');
    return (found) => {
      const text = String(found);
      const foundFamily = isIP(text);
      return foundFamily !== 0 && networks.check(text, foundFamily === 4 ? 'ipv4' : 'ipv6');
    };
  },
});

export default definePlugin({ components: [rule] });
