import type { ComponentExample } from '#core/index.ts';
import {
  dockerBySyslog,
  HELLO,
  JAVA_ANY_CERTIFICATE,
  javaProgram,
  rsyslogByCurl,
  syslogNgByHttp,
} from '../net/gelf-hello.ts';

const plain: readonly ComponentExample[] = [
  {
    label: 'Shell',
    language: 'shell',
    text: `curl -d '${HELLO.json}' http://{host}:{port}/gelf`,
  },
  { label: 'Docker', language: 'shell', text: dockerBySyslog('by HTTP') },
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
  { label: 'syslog-ng', language: 'syslog-ng', text: syslogNgByHttp('http') },
  { label: 'rsyslog', language: 'shell', text: rsyslogByCurl('http') },
];

/** They accept any certificate, so that a first try works with the one that the input makes by itself. */
const encrypted: readonly ComponentExample[] = [
  {
    label: 'Shell',
    language: 'shell',
    text: `# -k accepts any certificate; name its authority with --cacert to check it
curl -k -d '${HELLO.json}' https://{host}:{port}/gelf`,
  },
  { label: 'Docker', language: 'shell', text: dockerBySyslog('by HTTP') },
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
  {
    label: 'Java',
    language: 'java',
    text: javaProgram(
      ['java.net.URI', ...JAVA_ANY_CERTIFICATE.imports],
      `
${JAVA_ANY_CERTIFICATE.body}
String message = ${HELLO.java};
var request = (HttpsURLConnection) URI.create("https://{host}:{port}/gelf").toURL().openConnection();
request.setSSLSocketFactory(context.getSocketFactory());
request.setHostnameVerifier((host, session) -> true);
request.setDoOutput(true);
request.getOutputStream().write(message.getBytes());
request.getInputStream().close();`,
    ),
  },
  { label: 'syslog-ng', language: 'syslog-ng', text: syslogNgByHttp('https') },
  { label: 'rsyslog', language: 'shell', text: rsyslogByCurl('https') },
];

export const gelfHttpExamples: readonly ComponentExample[] = [
  ...plain.map((example) => ({ ...example, tls: false })),
  ...encrypted.map((example) => ({ ...example, tls: true })),
];
