"""The calls of Telegraf's input "graylog" (github.com/influxdata/telegraf, plugins/inputs/graylog/graylog.go): metrics by
name with POST, those of a namespace with GET, each read as the plugin reads it.
Usage: telegraf.py <address> <user> <password>. Prints the fields of each metric as JSON."""

import base64
import json
import sys

from graylog_api import Api

address, user, password = sys.argv[1:]
# It encodes the credentials with the alphabet for URLs.
credentials = base64.urlsafe_b64encode(f"{user}:{password}".encode()).decode()
api = Api(address, "Basic " + credentials, "Telegraf")
# The names of its sample configuration, and what operators of Graylog watch.
NAMES = [
    "jvm.memory.heap.used",
    "org.graylog2.buffers.input.usage",
    "org.graylog2.buffers.process.usage",
    "org.graylog2.buffers.output.usage",
    "org.graylog2.throughput.input.1-sec-rate",
]


def numbers(value, prefix=""):
    """The plugin flattens an answer and keeps what is a number."""
    if isinstance(value, dict):
        return {k: v for key, inner in value.items() for k, v in numbers(inner, f"{prefix}{key}_").items()}
    return {prefix[:-1]: value} if isinstance(value, (int, float)) and not isinstance(value, bool) else {}


found = {}
for answer in (
    api.call("POST", "/system/metrics/multiple", {"metrics": NAMES}),
    api.call("GET", "/system/metrics/namespace/org.graylog2.buffers"),
):
    assert answer["total"] == len(answer["metrics"]), answer["total"]
    for metric in answer["metrics"]:
        fields = numbers(metric["metric"])
        assert fields and metric["name"] and metric["type"], metric
        found[metric["full_name"]] = fields
print(json.dumps(found))
