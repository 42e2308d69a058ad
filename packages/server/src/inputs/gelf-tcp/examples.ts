import type { ComponentExample } from '#core/index.ts';
import {
  dockerBySyslog,
  HELLO,
  JAVA_ANY_CERTIFICATE,
  javaProgram,
  rsyslogConfiguration,
  syslogNgConfiguration,
} from '../net/gelf-hello.ts';

const plain: readonly ComponentExample[] = [
  {
    label: 'Shell',
    language: 'shell',
    text: String.raw`printf '${HELLO.json}\0' | nc -w1 {host} {port}`,
  },
  {
    label: 'Docker',
    language: 'shell',
    text: `docker run --rm --log-driver gelf --log-opt gelf-address=tcp://{host}:{port} alpine echo 'Hello, Millrace'`,
  },
  {
    label: 'Node.js',
    language: 'javascript',
    text: String.raw`import { connect } from 'node:net';

const message = ${HELLO.javascript};
connect({port}, '{host}').end(JSON.stringify(message) + '\0');
`,
  },
  {
    label: 'Python',
    language: 'python',
    text: String.raw`import json, socket

message = ${HELLO.python}
with socket.create_connection(("{host}", {port})) as connection:
    connection.sendall(json.dumps(message).encode() + b"\0")
`,
  },
  {
    label: 'Java',
    language: 'java',
    text: javaProgram(
      ['java.net.Socket'],
      String.raw`
String message = ${HELLO.java};
try (var socket = new Socket("{host}", {port})) {
    socket.getOutputStream().write((message + "\0").getBytes());
}`,
    ),
  },
  { label: 'syslog-ng', language: 'syslog-ng', text: syslogNgConfiguration('tcp') },
  {
    label: 'rsyslog',
    language: 'rsyslog',
    text: rsyslogConfiguration('tcp', ' TCP_FrameDelimiter="0"'),
  },
];

/** They accept any certificate, so that a first try works with the one that the input makes by itself. */
const encrypted: readonly ComponentExample[] = [
  {
    label: 'Shell',
    language: 'shell',
    text: String.raw`# accepts any certificate; add -verify_return_error -CAfile to check it
printf '${HELLO.json}\0' | openssl s_client -connect {host}:{port} -brief`,
  },
  { label: 'Docker', language: 'shell', text: dockerBySyslog('with TLS') },
  {
    label: 'Node.js',
    language: 'javascript',
    text: String.raw`import { connect } from 'node:tls';

const message = ${HELLO.javascript};
// With a certificate of your own, name its authority in "ca" instead.
const options = { host: '{host}', port: {port}, rejectUnauthorized: false };
const socket = connect(options, () => socket.end(JSON.stringify(message) + '\0'));
`,
  },
  {
    label: 'Python',
    language: 'python',
    text: String.raw`import json, socket, ssl

message = ${HELLO.python}
context = ssl.create_default_context()
# With a certificate of your own, call context.load_verify_locations() instead of these two lines.
context.check_hostname = False
context.verify_mode = ssl.CERT_NONE
with context.wrap_socket(socket.create_connection(("{host}", {port}))) as connection:
    connection.sendall(json.dumps(message).encode() + b"\0")
`,
  },
  {
    label: 'Java',
    language: 'java',
    text: javaProgram(
      JAVA_ANY_CERTIFICATE.imports,
      String.raw`
${JAVA_ANY_CERTIFICATE.body}
String message = ${HELLO.java};
try (var socket = context.getSocketFactory().createSocket("{host}", {port})) {
    socket.getOutputStream().write((message + "\0").getBytes());
}`,
    ),
  },
  { label: 'syslog-ng', language: 'syslog-ng', text: syslogNgConfiguration('tls') },
  {
    label: 'rsyslog',
    language: 'rsyslog',
    text: rsyslogConfiguration(
      'tcp',
      ` TCP_FrameDelimiter="0"
    StreamDriver="gtls" StreamDriverMode="1" StreamDriverAuthMode="anon"`,
      `; needs the package rsyslog-gnutls. It accepts any certificate: to check it, set
# global(DefaultNetstreamDriverCAFile="/path/to/ca.pem") and StreamDriverAuthMode="x509/certvalid".`,
    ),
  },
];

export const gelfTcpExamples: readonly ComponentExample[] = [
  ...plain.map((example) => ({ ...example, tls: false })),
  ...encrypted.map((example) => ({ ...example, tls: true })),
];
