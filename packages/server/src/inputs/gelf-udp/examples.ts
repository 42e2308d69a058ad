import type { ComponentExample } from '#core/index.ts';

export const gelfUdpExamples: readonly ComponentExample[] = [
  {
    label: 'Shell',
    language: 'shell',
    text: `printf '{"version":"1.1","host":"my-machine","short_message":"Hello, Millrace","level":6}' | nc -u -w1 {host} {port}`,
  },
  {
    label: 'Docker',
    language: 'shell',
    text: `docker run --rm --log-driver gelf --log-opt gelf-address=udp://{host}:{port} alpine echo 'Hello, Millrace'`,
  },
  {
    label: 'Python',
    language: 'python',
    text: `import json, socket

message = {"version": "1.1", "host": "my-machine", "short_message": "Hello, Millrace", "level": 6}
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
    sender.sendto(json.dumps(message).encode(), ("{host}", {port}))
`,
  },
];
