import type { ComponentExample } from '#core/index.ts';
import { HELLO, javaProgram } from '../net/gelf-hello.ts';

const plain: readonly ComponentExample[] = [
  {
    label: 'Shell',
    language: 'shell',
    text: `curl -d '${HELLO.json}' http://{host}:{port}/gelf`,
  },
  {
    label: 'Node.js',
    language: 'javascript',
    text: `await fetch('http://{host}:{port}/gelf', {
  method: 'POST',
  body: JSON.stringify(${HELLO.javascript}),
});
`,
  },
  {
    label: 'Python',
    language: 'python',
    text: `import json, urllib.request

message = ${HELLO.python}
urllib.request.urlopen("http://{host}:{port}/gelf", json.dumps(message).encode())
`,
  },
  {
    label: 'Java',
    language: 'java',
    text: javaProgram(
      ['java.net.URI', 'java.net.http.*'],
      `
var message = HttpRequest.BodyPublishers.ofString(
    ${HELLO.java});
var request = HttpRequest.newBuilder(URI.create("http://{host}:{port}/gelf")).POST(message).build();
HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.discarding());`,
    ),
  },
  {
    label: 'syslog-ng',
    language: 'syslog-ng',
    text: `# /etc/syslog-ng/conf.d/millrace.conf; the package syslog-ng-mod-http has this destination
destination d_millrace { http(url("http://{host}:{port}/gelf") method("POST") body("$(format-gelf)")); };
log { source(s_src); destination(d_millrace); };
`,
  },
];

/** They accept any certificate, so that a first try works with the one that the input makes by itself. */
const encrypted: readonly ComponentExample[] = [
  {
    label: 'Shell',
    language: 'shell',
    text: `# -k accepts any certificate; name its authority with --cacert to check it
curl -k -d '${HELLO.json}' https://{host}:{port}/gelf`,
  },
  {
    label: 'Node.js',
    language: 'javascript',
    text: `import { request } from 'node:https';

// With a certificate of your own, name its authority in "ca" instead.
request('https://{host}:{port}/gelf', { method: 'POST', rejectUnauthorized: false }).end(
  JSON.stringify(${HELLO.javascript}),
);
`,
  },
  {
    label: 'Python',
    language: 'python',
    text: `import json, ssl, urllib.request

message = ${HELLO.python}
# With a certificate of your own, use ssl.create_default_context(cafile="ca.pem") instead.
context = ssl._create_unverified_context()
urllib.request.urlopen("https://{host}:{port}/gelf", json.dumps(message).encode(), context=context)
`,
  },
];

export const gelfHttpExamples: readonly ComponentExample[] = [
  ...plain.map((example) => ({ ...example, tls: false })),
  ...encrypted.map((example) => ({ ...example, tls: true })),
];
