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

/** Everything that rsyslog receives, as GELF. `action` ends each message as the input expects it. */
export function rsyslogConfiguration(protocol: 'udp' | 'tcp', action = ''): string {
  return String.raw`# /etc/rsyslog.d/60-millrace.conf
template(name="gelf" type="list") {
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
    constant(value="\"}")
}
action(type="omfwd" target="{host}" port="{port}" protocol="${protocol}" template="gelf"${action})
`;
}

/** Everything that the usual source of Debian and Red Hat has; others name their own. */
export function syslogNgConfiguration(transport: 'udp' | 'tcp'): string {
  return `# /etc/syslog-ng/conf.d/millrace.conf
destination d_millrace { graylog2(host("{host}") port({port}) transport(${transport})); };
log { source(s_src); destination(d_millrace); };
`;
}
