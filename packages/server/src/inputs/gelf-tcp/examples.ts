import type { ComponentExample } from '#core/index.ts';

export const gelfTcpExamples: readonly ComponentExample[] = [
  {
    label: 'Shell',
    language: 'shell',
    text: String.raw`printf '{"version":"1.1","host":"my-machine","short_message":"Hello, Millrace","level":6}\0' | nc -w1 {host} {port}`,
  },
  {
    label: 'Docker',
    language: 'shell',
    text: `docker run --rm --log-driver gelf --log-opt gelf-address=tcp://{host}:{port} alpine echo 'Hello, Millrace'`,
  },
  {
    label: 'Python',
    language: 'python',
    text: String.raw`import json, socket

message = {"version": "1.1", "host": "my-machine", "short_message": "Hello, Millrace", "level": 6}
with socket.create_connection(("{host}", {port})) as connection:
    connection.sendall(json.dumps(message).encode() + b"\0")
`,
  },
];
