"""The calls that "terraform-provider-graylog" makes for a field type
(github.com/sven-borkert/terraform-provider-graylog, graylog/resource/system/indices/fieldtype): set and read, or remove.
Usage: terraform_field_type.py <address> <user> <password> <index set id> <field> <type, or "" to remove it>."""

import sys
import urllib.parse

from graylog_api import Api, basic

address, user, password, index_set, field, wanted = sys.argv[1:]
api = Api(address, basic(user, password), "terraform-provider-graylog")

if wanted == "":
    removal = {"fields": [field], "index_sets": [index_set], "rotate": True}
    api.call("PUT", "/system/indices/mappings/remove_mapping", removal)
else:
    request = {"field": field, "type": wanted, "index_sets": [index_set], "rotate": True}
    api.call("PUT", "/system/indices/mappings", request)
    query = urllib.parse.urlencode({"query": field, "per_page": 50})
    page = api.call("GET", f"/system/indices/index_sets/types/{index_set}?{query}")
    found = [each for each in page["elements"] if each["field_name"] == field]
    assert [each["type"] for each in found] == [wanted], found
