"""The calls of the Ansible modules of ReconInfoSec (github.com/ReconInfoSec/ansible-graylog-modules, library/), with the
payloads that their defaults give and the statuses that they insist on: index sets, streams with rules, GELF inputs,
pipelines, and all of it deleted again. Every module logs in by itself, as these do.
Usage: ansible.py <address> <user> <password> <port for an input>. Prints the ids."""

import json
import sys

from graylog_api import Api, basic

address, user, password, port = sys.argv[1:]


def module():
    """A session is the credential of all further calls of a module."""
    login = {"username": user, "password": password, "host": address}
    session = Api(address).call("POST", "/system/sessions", login)
    return Api(address, basic(session["session_id"], "session"))


def index_set():
    api = module()
    strategies = "org.graylog2.indexer.%s.strategies.%s"
    rotation = strategies % ("rotation", "TimeBasedRotationStrategy")
    retention = strategies % ("retention", "DeletionRetentionStrategy")
    payload = {
        "title": "Ansible",
        "description": "Made by a playbook",
        "index_prefix": "ansible",
        "creation_date": "2026-01-01T00:00:00.000Z",
        "writable": True,
        "default": False,
        "index_analyzer": "standard",
        "shards": 4,
        "replicas": 1,
        "rotation_strategy_class": rotation,
        "retention_strategy_class": retention,
        "rotation_strategy": {"type": rotation + "Config", "rotation_period": "P1D"},
        "retention_strategy": {"type": retention + "Config", "max_number_of_indices": 14},
        "index_optimization_max_num_segments": 1,
        "index_optimization_disabled": False,
    }
    created = api.call("POST", "/system/indices/index_sets", payload)
    found = [each for each in api.call("GET", "/system/indices/index_sets")["index_sets"] if each["title"] == "Ansible"]
    assert [each["id"] for each in found] == [created["id"]], found
    changed = {key: value for key, value in payload.items() if key != "creation_date"}
    updated = api.call("PUT", f"/system/indices/index_sets/{created['id']}", {**changed, "replicas": 0})
    assert updated["retention_strategy"]["max_number_of_indices"] == 14, updated
    return created["id"]


def stream():
    api = module()
    sets = api.call("GET", "/system/indices/index_sets?skip=0&limit=0&stats=false")
    default_set = sets["index_sets"][0]["id"]
    payload = {
        "title": "Ansible",
        "description": "Made by a playbook",
        "remove_matches_from_default_stream": False,
        "matching_type": "AND",
        "rules": [{"field": "source", "type": 1, "value": "ansible", "inverted": False}],
        "index_set_id": default_set,
    }
    stream_id = api.call("POST", "/streams", payload, 201)["stream_id"]
    rule = {"field": "level", "type": 1, "value": "3", "inverted": False, "description": "errors"}
    rule_id = api.call("POST", f"/streams/{stream_id}/rules", rule, 201)["streamrule_id"]
    api.call("PUT", f"/streams/{stream_id}/rules/{rule_id}", {**rule, "value": "4"})
    api.call("PUT", f"/streams/{stream_id}", {"title": "Ansible", "matching_type": "OR"})
    found = [each for each in api.call("GET", "/streams")["streams"] if each["title"] == "Ansible"]
    assert [each["id"] for each in found] == [stream_id], found
    assert found[0]["matching_type"] == "OR" and len(found[0]["rules"]) == 2, found
    api.call("DELETE", f"/streams/{stream_id}/rules/{rule_id}", expected=204)
    return stream_id


def gelf_input():
    """The same module for every transport: it sends settings that only other transports have."""
    api = module()
    configuration = {
        "bind_address": "127.0.0.1",
        "port": int(port),
        "number_worker_threads": 2,
        "recv_buffer_size": 1048576,
        "tcp_keepalive": False,
        "tls_enable": False,
        "tls_client_auth": "disabled",
        "use_null_delimiter": False,
        "decompress_size_limit": 8388608,
        "enable_cors": True,
        "idle_writer_timeout": 60,
        "max_chunk_size": 65536,
        "max_message_size": 2097152,
    }
    payload = {
        "type": "org.graylog2.inputs.gelf.tcp.GELFTCPInput",
        "title": "Ansible",
        "global": True,
        "node": None,
        "configuration": configuration,
    }
    input_id = api.call("POST", "/system/inputs", payload, 201)["id"]
    api.call("PUT", f"/system/inputs/{input_id}", payload, 201)
    return input_id


def pipeline(stream_id):
    api = module()
    source = 'rule "ansible"\nwhen has_field("source")\nthen set_field("seen", true);\nend'
    rule = {"title": "ansible", "description": "Made by a playbook", "source": source}
    api.call("POST", "/system/pipelines/rule/parse", rule)
    rule_id = api.call("POST", "/system/pipelines/rule", rule)["id"]
    stages = 'pipeline "ansible"\nstage 0 match either\nrule "ansible";\nend'
    payload = {"title": "ansible", "description": "Made by a playbook", "source": stages}
    pipeline_id = api.call("POST", "/system/pipelines/pipeline", payload)["id"]
    assert pipeline_id in [each["id"] for each in api.call("GET", "/system/pipelines/pipeline")]
    current = api.call("GET", f"/system/pipelines/pipeline/{pipeline_id}")
    api.call("PUT", f"/system/pipelines/pipeline/{pipeline_id}", {"title": "ansible", "source": current["source"]})
    connection = {"pipeline_id": pipeline_id, "stream_ids": [stream_id]}
    api.call("POST", "/system/pipelines/connections/to_pipeline", connection)
    return rule_id, pipeline_id


index_set_id = index_set()
stream_id = stream()
input_id = gelf_input()
rule_id, pipeline_id = pipeline(stream_id)
api = module()
for path in [
    f"/system/pipelines/pipeline/{pipeline_id}",
    f"/system/pipelines/rule/{rule_id}",
    f"/system/inputs/{input_id}",
    f"/streams/{stream_id}",
    f"/system/indices/index_sets/{index_set_id}",
]:
    api.call("DELETE", path, expected=204)
print(json.dumps({"index_set": index_set_id, "stream": stream_id, "input": input_id, "pipeline": pipeline_id}))
