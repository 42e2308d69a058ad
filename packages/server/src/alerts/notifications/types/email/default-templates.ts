/** What mails say unless somebody writes a template. Both parts say the same. */

export const DEFAULT_SUBJECT = '${event_definition_title}: ${check_result.resultDescription}';

export const DEFAULT_TEXT_BODY = `\${kind_description}

\${event_definition_title}\${ (,event.key,)}
\${event.message}

Time:      \${triggered_at}
\${if resolved_at}Resolved:  \${resolved_at}
\${end}\${if event.timerange_start}Messages:  \${event.timerange_start} to \${event.timerange_end}
\${end}\${if streams}Streams:   \${foreach streams stream , }\${stream.title}\${end}
\${end}\${if condition_description}Condition: \${condition_description}
\${end}Priority:  \${priority_name}
\${foreach values value}\${value.key}: \${value.value}
\${end}\${foreach event.fields field}\${field.key}: \${field.value}
\${end}\${if event_definition_description}
\${event_definition_description}
\${end}\${if remediation_steps}
What to do:
\${remediation_steps}
\${end}\${if search_url}
Show the messages:
\${search_url}
\${end}\${if backlog}
Newest messages:
\${foreach backlog message}\${message.timestamp}  \${message.source}
  \${message.message}
\${end}\${end}
-- 
Sent by Millrace, \${http_external_uri}
`;

const CELL = 'padding:4px 16px 4px 0;vertical-align:top';
const LABEL = `${CELL};color:#5b6470;white-space:nowrap`;

const row = (label: string, value: string): string =>
  `<tr><td style="${LABEL}">${label}</td><td style="${CELL}">${value}</td></tr>`;

/** Styles stand on the elements, because mail programs drop style sheets. */
export const DEFAULT_HTML_BODY = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>\${title}</title></head>
<body style="margin:0;padding:24px;background:#f3f5f7;font:15px/1.5 -apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;color:#1b2129">
<div style="max-width:680px;margin:0 auto;background:#ffffff;border:1px solid #dde2e8;border-top:4px solid \${if is_resolved}#2e9e5b\${else}#d72b3f\${end};border-radius:6px;padding:24px">
<p style="margin:0 0 4px;color:#5b6470">\${kind_description}</p>
<h1 style="margin:0 0 12px;font-size:20px;line-height:1.3">\${event_definition_title}\${ (,event.key,)}</h1>
<p style="margin:0 0 16px">\${event.message}</p>
<table style="border-collapse:collapse;margin:0 0 16px" role="presentation">
${row('Time', '${triggered_at}')}
\${if resolved_at}${row('Resolved', '${resolved_at}')}\${end}
\${if event.timerange_start}${row('Messages', '${event.timerange_start} to ${event.timerange_end}')}\${end}
\${if streams}${row('Streams', '${foreach streams stream , }${stream.title}${end}')}\${end}
\${if condition_description}${row('Condition', '${condition_description}')}\${end}
${row('Priority', '${priority_name}')}
\${foreach values value}${row('${value.key}', '${value.value}')}\${end}
\${foreach event.fields field}${row('${field.key}', '${field.value}')}\${end}
</table>
\${if event_definition_description}<p style="margin:0 0 16px;white-space:pre-wrap">\${event_definition_description}</p>\${end}
\${if remediation_steps}<p style="margin:0 0 4px;font-weight:600">What to do</p>
<p style="margin:0 0 16px;white-space:pre-wrap">\${remediation_steps}</p>\${end}
\${if search_url}<p style="margin:0 0 20px"><a href="\${search_url}" style="display:inline-block;padding:8px 16px;background:#1f5fbf;color:#ffffff;text-decoration:none;border-radius:4px">Show the messages</a></p>\${end}
\${if backlog}<p style="margin:0 0 4px;font-weight:600">Newest messages</p>
<div style="font:13px/1.5 ui-monospace,Menlo,Consolas,monospace;background:#f3f5f7;border-radius:4px;padding:8px 12px;overflow-wrap:anywhere">
\${foreach backlog message}<div style="margin:4px 0"><span style="color:#5b6470">\${message.timestamp} \${message.source}</span><br>\${message.message}</div>\${end}
</div>\${end}
</div>
<p style="max-width:680px;margin:12px auto 0;color:#5b6470;font-size:13px">Sent by <a href="\${http_external_uri}" style="color:#5b6470">Millrace</a></p>
</body>
</html>
`;
