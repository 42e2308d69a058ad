"""The calls of the Nagios plugin "nagios-plugin-graylog2" (github.com/CygnusNetworks/nagios-plugin-graylog2,
check_graylog2), in its order, with what it reads out of the answers.
Usage: nagios.py <address> <user> <password>. Prints one line of performance data."""

import re
import sys
from datetime import datetime

from graylog_api import Api, basic

address, user, password = sys.argv[1:]
api = Api(address, basic(user, password))

system = api.call("GET", "/system")
# It asks for a server id before 2.0, and for the ids of node and cluster from there on.
version = [int(part) for part in re.findall(r"\d+", system["version"])[:3]]
assert version >= [2, 0, 0], version
metrics = {"nodeid": system["node_id"], "clusterid": system["cluster_id"]}
metrics["processing"] = system["is_processing"]
# Before 4.0 it asks for /count/total.
assert version >= [4, 0, 0], version
metrics["events"] = api.call("GET", "/system/indexer/overview")["counts"]["events"]
metrics["inputs"] = api.call("GET", "/system/inputs")["total"]
metrics["throughput"] = api.call("GET", "/system/throughput")["throughput"]
for failure in api.call("GET", "/system/indexer/failures?limit=1&offset=0")["failures"]:
    datetime.strptime(failure["timestamp"], "%Y-%m-%dT%H:%M:%S.%fZ")
print(" ".join(f"{name}={value}" for name, value in metrics.items()))
