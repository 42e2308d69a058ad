import type { ComponentExample } from '#core/index.ts';

export const gelfHttpExamples: readonly ComponentExample[] = [
  {
    label: 'Shell',
    language: 'shell',
    text: `curl -d '{"version":"1.1","host":"my-machine","short_message":"Hello, Millrace","level":6}' http://{host}:{port}/gelf`,
  },
  {
    label: 'JavaScript',
    language: 'javascript',
    text: `await fetch('http://{host}:{port}/gelf', {
  method: 'POST',
  body: JSON.stringify({ version: '1.1', host: 'my-machine', short_message: 'Hello, Millrace', level: 6 }),
});
`,
  },
  {
    label: 'Python',
    language: 'python',
    text: `import json, urllib.request

message = {"version": "1.1", "host": "my-machine", "short_message": "Hello, Millrace", "level": 6}
urllib.request.urlopen("http://{host}:{port}/gelf", json.dumps(message).encode())
`,
  },
];
