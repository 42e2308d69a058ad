"""The calls of the MCP server "graylog-mcp" (github.com/ntbang0901/graylog-mcp, src/graylog_mcp/backends/): messages and
aggregations through the views, in the shapes of Graylog 4 and of Graylog 5 and later, and through the scripting API.
Usage: mcp.py <address> <token> <stream id>. Prints what was found, as JSON."""

import json
import secrets
import sys
import uuid

from graylog_api import Api, basic

address, token, stream_id = sys.argv[1:]
api = Api(address, basic(token, "token"), "graylog-mcp")
RANGE = {"type": "relative", "range": 3600}


def execute(search_type):
    query = {
        "id": str(uuid.uuid4()),
        "query": {"type": "elasticsearch", "query_string": "client:mcp"},
        "timerange": RANGE,
        "search_types": [search_type],
        "filter": {"type": "or", "filters": [{"type": "stream", "id": stream_id}]},
    }
    body = {"id": secrets.token_hex(12), "queries": [query], "parameters": []}
    data = api.call("POST", "/views/search/sync?timeout=30000", body)
    for result in data["results"].values():
        assert not result["errors"], result["errors"]
        return result["search_types"][search_type["id"]]


def pivot(row_groups):
    result = execute(
        {
            "id": str(uuid.uuid4()),
            "type": "pivot",
            "row_groups": row_groups,
            "column_groups": [],
            "series": [{"type": "count", "id": "count()"}],
            "sort": [],
            "rollup": True,
        }
    )
    leaves = {}
    total = result["total"]
    for row in result["rows"]:
        values = {value["key"][-1]: value["value"] for value in row["values"]}
        if row["source"] == "leaf":
            leaves["/".join(row["key"])] = values["count()"]
        elif not row["key"]:
            total = values["count()"]
    return {"rows": leaves, "total": total}


def messages():
    sort = [{"field": "timestamp", "order": "DESC"}]
    result = execute({"id": str(uuid.uuid4()), "type": "messages", "limit": 5, "offset": 0, "sort": sort})
    assert all(each["index"] and each["message"]["_id"] for each in result["messages"]), result
    return {"total": result["total_results"], "messages": sorted(each["message"]["message"] for each in result["messages"])}


def table(path, body):
    return api.call("POST", path, {"query": "client:mcp", "timerange": RANGE, "streams": [stream_id], **body})


time_group = {"type": "time", "interval": {"type": "timeunit", "timeunit": "1d"}}
fields = ["timestamp", "_id", "source", "message", "level"]
rows = table("/search/messages", {"fields": fields, "from": 0, "size": 5, "sort": "timestamp", "sort_order": "desc"})
groups = table("/search/aggregate", {"group_by": [{"field": "user", "limit": 10}], "metrics": [{"function": "count"}]})
print(
    json.dumps(
        {
            "messages": messages(),
            "by_user": pivot([{"type": "values", "fields": ["user"], "limit": 10}]),
            "by_user_4": pivot([{"type": "values", "field": "user", "limit": 10}]),
            "total": pivot([]),
            "days": sum(pivot([{**time_group, "fields": ["timestamp"]}])["rows"].values()),
            "columns": [column["field"] for column in rows["schema"]],
            "rows": len(rows["datarows"]),
            "groups": {row[0]: row[1] for row in groups["datarows"]},
            "valid": api.call("POST", "/search/validate", {"query": "client:mcp", "timerange": RANGE})["status"],
        }
    )
)
