"""What clients do with the settings of the cluster: the list of classes; the order of message processors read, changed and
set back; GeoIP switched on, as gl-api.py of drewmiranda-gl does (github.com/drewmiranda-gl/graylog-scripts), which has no
effect here and is refused; the preferences of searches, as Graylog's own integration tests set them.
Usage: cluster_config.py <address> <user> <password>. Prints the order that it set and what was refused."""

import json
import sys

from graylog_api import Api, basic

address, user, password = sys.argv[1:]
api = Api(address, basic(user, password))
PATH = "/system/cluster_config"
PROCESSORS = f"{PATH}/org.graylog2.messageprocessors.MessageProcessorsConfig"
GEO_IP = f"{PATH}/org.graylog.plugins.map.config.GeoIpResolverConfig"
SEARCHES = f"{PATH}/org.graylog2.indexer.searches.SearchesClusterConfig"

classes = api.call("GET", PATH)
assert classes["total"] == len(classes["classes"]), classes
for each in classes["classes"]:
    expected = 204 if each.endswith("IndexSetDefaultTemplate") else 200
    api.call("GET", f"{PATH}/{each}", expected=expected)

before = api.call("GET", PROCESSORS)
turned = {**before, "processor_order": before["processor_order"][::-1]}
assert api.call("PUT", PROCESSORS, turned, 202) == turned
shown = api.call("GET", "/system/messageprocessors/config")["processor_order"]
assert [each["class_name"] for each in shown] == turned["processor_order"], shown
api.call("DELETE", PROCESSORS, expected=204)
assert api.call("GET", PROCESSORS) == before

geo_ip = {
    "enabled": True,
    "enforce_graylog_schema": True,
    "db_vendor_type": "MAXMIND",
    "city_db_path": "/etc/graylog/server/GeoLite2-City.mmdb",
    "asn_db_path": "/etc/graylog/server/GeoLite2-ASN.mmdb",
    "refresh_interval_unit": "MINUTES",
    "refresh_interval": 10,
    "use_s3": False,
}
refused = api.call("PUT", GEO_IP, geo_ip, 400)
assert api.call("GET", GEO_IP)["enabled"] is False
off = {**geo_ip, "enabled": False}
assert api.call("PUT", GEO_IP, off, 202) == off and api.call("GET", GEO_IP) == off

searches = {**api.call("GET", SEARCHES), "relative_timerange_options": {"PT5M": "5 minutes"}}
assert api.call("PUT", SEARCHES, searches, 202) == searches and api.call("GET", SEARCHES) == searches
api.call("PUT", SEARCHES, {**searches, "query_time_range_limit": "PT2M"}, 400)
api.call("DELETE", SEARCHES, expected=204)
api.call("GET", f"{PATH}/org.example.NoSuchClass", expected=404)
print(json.dumps({"order": turned["processor_order"], "refused": refused["message"]}))
