/** The message of the examples of all GELF inputs, as each language writes it. */
export const HELLO = {
  json: '{"version":"1.1","host":"my-machine","short_message":"Hello, Millrace","level":6}',
  javascript: "{ version: '1.1', host: 'my-machine', short_message: 'Hello, Millrace', level: 6 }",
  python: '{"version": "1.1", "host": "my-machine", "short_message": "Hello, Millrace", "level": 6}',
  java: String.raw`"{\"version\":\"1.1\",\"host\":\"my-machine\",\"short_message\":\"Hello, Millrace\",\"level\":6}"`,
} as const;

/** A program of one file: `java Hello.java` runs it. */
export function javaProgram(imports: readonly string[], body: string): string {
  const lines = body.trim().split('\n');
  return `${imports.map((name) => `import ${name};`).join('\n')}

class Hello {
    public static void main(String[] args) throws Exception {
${lines.map((line) => `        ${line}`).join('\n')}
    }
}
`;
}

/** Accepts any certificate, so that a first try works with the one that an input makes by itself. */
export const JAVA_ANY_CERTIFICATE = {
  imports: ['java.security.cert.X509Certificate', 'javax.net.ssl.*'],
  body: `// Accepts any certificate. With one of your own, leave the trust manager out (null).
TrustManager any = new X509TrustManager() {
    public void checkClientTrusted(X509Certificate[] chain, String type) {}
    public void checkServerTrusted(X509Certificate[] chain, String type) {}
    public X509Certificate[] getAcceptedIssuers() { return new X509Certificate[0]; }
};
var context = SSLContext.getInstance("TLS");
context.init(null, new TrustManager[] { any }, null);`,
} as const;

const RSYSLOG_FILE = '/etc/rsyslog.d/60-millrace.conf';

/** Everything that rsyslog receives, as GELF. */
const RSYSLOG_TEMPLATE = String.raw`template(name="gelf" type="list") {
    constant(value="{\"version\":\"1.1\",\"host\":\"")
    property(name="hostname" format="json")
    constant(value="\",\"short_message\":\"")
    property(name="msg" position.from="2" format="json")
    constant(value="\",\"timestamp\":")
    property(name="timereported" dateformat="unixtimestamp")
    constant(value=",\"level\":")
    property(name="syslogseverity")
    constant(value=",\"_program\":\"")
    property(name="programname" format="json")
`;

/** `action` ends each message as the input expects it. */
export function rsyslogConfiguration(protocol: 'udp' | 'tcp', action = '', about = ''): string {
  return String.raw`# ${RSYSLOG_FILE}${about}
${RSYSLOG_TEMPLATE}    constant(value="\"}")
}
action(type="omfwd" target="{host}" port="{port}" protocol="${protocol}" template="gelf"${action})
`;
}

/** Debian's rsyslog cannot send HTTP itself. A message counts as sent when the input has answered. */
export function rsyslogByCurl(scheme: 'http' | 'https'): string {
  const [about, option] = scheme === 'http' ? ['', ''] : [' -k accepts any certificate.', ' -k'];
  return String.raw`# As root. Debian's rsyslog has no output for HTTP, so curl sends each message.${about}
cat > /usr/local/bin/millrace-gelf <<'EOF'
#!/bin/sh
echo OK
while IFS= read -r message; do
    if printf '%s' "$message" | curl -fsS${option} -o /dev/null --data-binary @- ${scheme}://{host}:{port}/gelf
    then echo OK
    else echo failed
    fi
done
EOF
chmod +x /usr/local/bin/millrace-gelf
cat > ${RSYSLOG_FILE} <<'EOF'
module(load="omprog")
${RSYSLOG_TEMPLATE}    constant(value="\"}\n")
}
action(type="omprog" binary="/usr/local/bin/millrace-gelf" template="gelf" confirmMessages="on"
    action.resumeRetryCount="-1")
EOF
systemctl restart rsyslog
`;
}

/** Docker's driver for GELF sends by UDP and by TCP without encryption, and nothing else. */
export function dockerBySyslog(what: string): string {
  return `# Docker's GELF driver cannot send ${what}. Its syslog driver hands messages to the syslog of
# this machine, which sends them here: set it up as the tab rsyslog or syslog-ng shows.
docker run --rm --log-driver syslog alpine echo 'Hello, Millrace'`;
}

/** Everything that the usual source of Debian and Red Hat has; others name their own. */
export function syslogNgConfiguration(transport: 'udp' | 'tcp' | 'tls'): string {
  const [about, tls] =
    transport === 'tls'
      ? ['; with a certificate of your own, use tls(ca-file("/path/to/ca.pem"))', ' tls(peer-verify(no))']
      : ['', ''];
  return `# /etc/syslog-ng/conf.d/millrace.conf${about}
destination d_millrace { graylog2(host("{host}") port({port}) transport(${transport})${tls}); };
log { source(s_src); destination(d_millrace); };
`;
}

export function syslogNgByHttp(scheme: 'http' | 'https'): string {
  const [about, tls] =
    scheme === 'https'
      ? ['\n# With a certificate of your own, use tls(ca-file("/path/to/ca.pem")).', ' tls(peer-verify(no))']
      : ['', ''];
  return `# /etc/syslog-ng/conf.d/millrace.conf; the package syslog-ng-mod-http has this destination${about}
destination d_millrace { http(url("${scheme}://{host}:{port}/gelf") method("POST") body("$(format-gelf)")${tls}); };
log { source(s_src); destination(d_millrace); };
`;
}
