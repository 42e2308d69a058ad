import type { ComponentExample } from '#core/index.ts';
import { HELLO, javaProgram, rsyslogConfiguration, syslogNgConfiguration } from '../net/gelf-hello.ts';

export const gelfUdpExamples: readonly ComponentExample[] = [
  {
    label: 'Shell',
    language: 'shell',
    text: `printf '${HELLO.json}' | nc -u -w1 {host} {port}`,
  },
  {
    label: 'Docker',
    language: 'shell',
    text: `docker run --rm --log-driver gelf --log-opt gelf-address=udp://{host}:{port} alpine echo 'Hello, Millrace'`,
  },
  {
    label: 'Node.js',
    language: 'javascript',
    text: `import { createSocket } from 'node:dgram';

const message = ${HELLO.javascript};
const socket = createSocket('udp4');
socket.send(JSON.stringify(message), {port}, '{host}', () => socket.close());
`,
  },
  {
    label: 'Python',
    language: 'python',
    text: `import json, socket

message = ${HELLO.python}
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
    sender.sendto(json.dumps(message).encode(), ("{host}", {port}))
`,
  },
  {
    label: 'Java',
    language: 'java',
    text: javaProgram(
      ['java.net.*'],
      `
byte[] message = ${HELLO.java}.getBytes();
try (var socket = new DatagramSocket()) {
    socket.send(new DatagramPacket(message, message.length, new InetSocketAddress("{host}", {port})));
}`,
    ),
  },
  { label: 'syslog-ng', language: 'syslog-ng', text: syslogNgConfiguration('udp') },
  { label: 'rsyslog', language: 'rsyslog', text: rsyslogConfiguration('udp') },
];
