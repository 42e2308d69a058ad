"""What SOCFortress CoPilot does before it makes a webhook (github.com/socfortress/CoPilot,
backend/app/integrations/monitoring_alert/services/provision.py): the connection test, then the list of allowed URLs, which
it reads from one version's path and writes to the other's.
Usage: copilot.py <address> <user> <password>. Prints the list as JSON and leaves it as it was."""

import json
import sys

from graylog_api import Api, basic

address, user, password = sys.argv[1:]
api = Api(address, basic(user, password))

api.call("GET", f"/authz/roles/user/{user}")
before = api.call("GET", "/system/urlallowlist")
entry = {"id": "1cf1aa4f", "type": "literal", "title": "CoPilot", "value": "http://copilot.example.org/api/alerts"}
api.call("PUT", "/system/urlwhitelist", {"entries": [*before["entries"], entry], "disabled": False}, 204)
print(json.dumps(api.call("GET", "/system/urlallowlist")))
api.call("PUT", "/system/urlwhitelist", before, 204)
