/**
 * Takes GELF over TCP and counts null bytes: `node counting-sink.ts`. A process of its own, so that its CPU is not
 * counted. Prints its port, then how many messages it has whenever it is sent a line.
 */
import net from 'node:net';

let frames = 0;
const server = net.createServer((socket) => {
  socket.on('error', () => {});
  socket.on('data', (bytes: Buffer) => {
    for (let at = bytes.indexOf(0); at >= 0; at = bytes.indexOf(0, at + 1)) frames += 1;
  });
});
server.listen(0, '127.0.0.1', () => console.log(`port ${(server.address() as net.AddressInfo).port}`));
process.stdin.on('data', () => console.log(`frames ${frames}`));
process.stdin.on('end', () => process.exit());
