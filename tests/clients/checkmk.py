"""The calls of Checkmk's special agent "agent_graylog" (github.com/Checkmk/checkmk, cmk/special_agents/agent_graylog.py),
all sections in its order, each answer read as the agent and the checks of cmk/base/plugins/agent_based read it.
Usage: checkmk.py <address> <user> <password>. Prints the names of the sections that it filled, one for each line."""

import json
import sys
import time
import urllib.error
import urllib.request

from graylog_api import basic

address, user, password = sys.argv[1:]
HEADERS = {"Authorization": basic(user, password)}


def ask(path, body=None):
    """As the agent does it: whatever the status, the answer must be JSON. Without X-Requested-By for GET."""
    headers = HEADERS if body is None else {**HEADERS, "Content-Type": "application/json", "X-Requested-By": user}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(address + "/api" + path, data, headers)
    try:
        with urllib.request.urlopen(request) as response:
            return json.loads(response.read())
    except urllib.error.HTTPError as error:
        return json.loads(error.read())


since = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - 1800))
sections = {}
sections["alerts"] = ask("/streams/alerts?limit=300")["total"]
sections["cluster_health"] = ask("/system/indexer/cluster/health")["status"]
sections["cluster_inputstates"] = sum(len(states) for states in ask("/cluster/inputstates").values())
stats = ask("/system/cluster/stats")
sections["cluster_stats"] = {
    key: stats[key]
    for key in (
        "stream_count",
        "stream_rule_count",
        "user_count",
        "output_count",
        "dashboard_count",
        "input_count",
        "global_input_count",
        "extractor_count",
    )
}
sections["cluster_stats"]["storage"] = stats["elasticsearch"]["cluster_health"]["number_of_nodes"]
traffic = ask("/system/cluster/traffic?days=1&daily=false")
sections["cluster_traffic"] = [sorted(traffic[key]) is not None for key in ("input", "decoded", "output")]
failures = ask("/system/indexer/failures/count/?since=%s" % since)
failures.update(ask("/system/indexer/failures?limit=30"))
sections["failures"] = [failures["count"], failures["total"], len(failures["failures"])]
heap = ask("/system/metrics/namespace/jvm.memory.heap")["metrics"]
sections["jvm"] = {metric["full_name"]: metric["metric"]["value"] for metric in heap}
# Not part of Graylog without a licence: the agent passes on whatever JSON it gets.
ask("/plugins/org.graylog.plugins.license/licenses/status")
sections["messages"] = ask("/count/total")["events"]
nodes = ask("/cluster")
for name, states in ask("/cluster/inputstates").items():
    nodes[name]["inputstates"] = states
sections["nodes"] = [
    [node["lb_status"], node["lifecycle"], node["is_processing"], node["hostname"], len(node["inputstates"])]
    for node in nodes.values()
]
# There are no sidecars: an answer without them leaves the section out.
assert ask("/sidecars/all").get("sidecars") is None
sections["sources"] = ask("/sources")["sources"]
sections["sources_since"] = ask("/sources?range=600")["sources"]
sections["streams"] = [[stream["title"], stream["disabled"], stream["is_default"]] for stream in ask("/streams")["streams"]]
sections["events"] = ask("/events/search", {"timerange": {"type": "relative", "range": 86400}})["total_events"]
print(json.dumps(sections))
