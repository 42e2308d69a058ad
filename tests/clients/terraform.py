"""The calls that "terraform-provider-graylog" makes for an input, an index set and a template of index sets
(github.com/sven-borkert/terraform-provider-graylog, examples/graylog7-e2e, graylog/resource/system/indices/template):
create, read, compare, change, delete. What it reads must be what it sent, or every plan would show a change.
Usage: terraform.py <address> <user> <password> <port of the input>. Prints what it made as JSON."""

import json
import sys

from graylog_api import Api, basic

address, user, password, port = sys.argv[1:]
api = Api(address, basic(user, password), "terraform-provider-graylog")
ROTATION = "org.graylog2.indexer.rotation.strategies.TimeBasedSizeOptimizingStrategy"
RETENTION = "org.graylog2.indexer.retention.strategies.DeletionRetentionStrategy"


def compare(what, read, sent):
    for name, value in sent.items():
        if read[name] != value:
            raise SystemExit(f"{what}: {name} was {value} and is {read[name]}")


attributes = {"bind_address": "127.0.0.1", "port": int(port), "recv_buffer_size": 262144, "decompress_size_limit": 8388608}
given = {"title": "tf-e2e-gelf-udp", "type": "org.graylog2.inputs.gelf.udp.GELFUDPInput", "global": True, "node": ""}
input_id = api.call("POST", "/system/inputs", {**given, "configuration": attributes}, 201)["id"]
for title in ["tf-e2e-gelf-udp", "tf-e2e-gelf-udp-2"]:
    wanted = {**given, "title": title}
    api.call("PUT", f"/system/inputs/{input_id}", {**wanted, "configuration": attributes}, 201)
    read = api.call("GET", f"/system/inputs/{input_id}")
    compare("input", read, {"title": title, "type": given["type"], "global": True, "attributes": attributes})

index_set = {
    "title": "tf-e2e-index-set",
    "description": "Terraform E2E test index set",
    "index_prefix": "tf-e2e",
    "rotation_strategy_class": ROTATION,
    "rotation_strategy": {"type": ROTATION + "Config", "index_lifetime_min": "P30D", "index_lifetime_max": "P40D"},
    "retention_strategy_class": RETENTION,
    "retention_strategy": {"type": RETENTION + "Config", "max_number_of_indices": 5},
    "data_tiering": {"type": "hot_only", "index_lifetime_min": "P30D", "index_lifetime_max": "P40D"},
    "index_analyzer": "standard",
    "shards": 1,
    "replicas": 0,
    "index_optimization_max_num_segments": 1,
    "field_type_refresh_interval": 5000,
    "index_optimization_disabled": False,
    "writable": True,
    "use_legacy_rotation": False,
}
more = {"field_restrictions": {}, "index_set_template_id": "65f0c0ffee0123456789abcd"}
set_id = api.call("POST", "/system/indices/index_sets", {**index_set, **more})["id"]
for description in ["Terraform E2E test index set", "changed"]:
    wanted = {**index_set, "description": description}
    api.call("PUT", f"/system/indices/index_sets/{set_id}", {**wanted, **more, "id": set_id})
    compare("index set", api.call("GET", f"/system/indices/index_sets/{set_id}"), wanted)

TEMPLATES = "/system/indices/index_sets/templates"
assert [each["built_in"] for each in api.call("GET", TEMPLATES + "/built-in?warm_tier_enabled=false")], "no templates"
template = {
    "title": "tf-e2e-template",
    "description": "",
    "index_set_config": {name: index_set[name] for name in ["shards", "replicas", "data_tiering", "use_legacy_rotation"]},
}
template_id = api.call("POST", TEMPLATES, template)["id"]
compare("template", api.call("GET", f"{TEMPLATES}/{template_id}"), template)
api.call("PUT", f"{TEMPLATES}/{template_id}", {**template, "title": "tf-e2e-template-2"}, 204)
compare("template", api.call("GET", f"{TEMPLATES}/{template_id}"), {**template, "title": "tf-e2e-template-2"})
api.call("DELETE", f"{TEMPLATES}/{template_id}", expected=204)
api.call("GET", f"{TEMPLATES}/{template_id}", expected=404)

api.call("DELETE", f"/system/inputs/{input_id}", expected=204)
api.call("DELETE", f"/system/indices/index_sets/{set_id}", expected=204)
print(json.dumps({"input": input_id, "index_set": set_id, "template": template_id}))
