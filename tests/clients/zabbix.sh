#!/bin/bash
# The calls of the Zabbix check "zbx-graylog2" (github.com/jameskirsop/zbx-graylog2, externalscript/check_graylog_node):
# first all that it polls, at the same time and as it does it, then every attribute that it reads out of the answers.
# Usage: zabbix.sh <address> <user> <password>. Prints one line for each attribute.
set -euo pipefail
address=$1
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
get() { curl --fail-with-body -u "$user" -sS "$address/api$1"; }
user=$2:$3

poll() { get "$1" | jq . > "$directory/$2"; }
pids=()
poll /system/cluster/node node & pids+=($!)
poll /system/journal journal & pids+=($!)
poll /system system & pids+=($!)
poll /system/cluster/stats cluster & pids+=($!)
poll /system/metrics/namespace/org.apache.logging.log4j.core.Appender messages & pids+=($!)
for pid in "${pids[@]}"; do wait "$pid"; done

# `jq -e` fails for a value that is missing.
attribute() {
  local value
  value=$(jq -er "$3 | tostring | if . == \"null\" then null else . end" "$directory/$2")
  echo "$1 $value"
}
attribute node_id node .node_id
attribute node_transport node .transport_address
attribute node_is_master node .is_master
attribute node_cluster node .cluster_id
attribute node_type node .type
attribute journal_events_read journal .read_events_per_second
attribute journal_events_append journal .append_events_per_second
attribute journal_size journal .journal_size
attribute journal_num_segments journal .number_of_segments
attribute journal_uncommitted_entries journal .uncommitted_journal_entries
attribute lb_status system .lb_status
attribute system_lifecycle system .lifecycle
attribute system_isprocessing system .is_processing
attribute system_tz system .timezone
attribute system_version system .version
attribute system_startedat system .started_at
attribute cluster_stream_count cluster .stream_count
attribute cluster_stream_rule_count cluster .stream_rule_count
attribute cluster_user_count cluster .user_count
attribute cluster_output_count cluster .output_count
attribute cluster_dashboard_count cluster .dashboard_count
attribute cluster_input_count cluster .input_count
attribute cluster_global_input_count cluster .global_input_count
attribute cluster_extractor_count cluster .extractor_count
# It also reads .content_pack_count, which Graylog has no longer had since its version 2.
attribute cluster_alerts_count cluster .alarm_stats.alert_count
attribute es_cluster_health cluster .elasticsearch.status
attribute warning_five_minute messages '.metrics | .[0].metric.rate.five_minute'
attribute error_five_minute messages '.metrics | .[1].metric.rate.five_minute'
attribute fatal_five_minute messages '.metrics | .[3].metric.rate.five_minute'
echo "names $(jq -r '[.metrics | .[0, 1, 3].name] | join(",")' "$directory/messages")"
echo "total_message_count $(get /count/total | jq -er .events)"
echo "node_throughput $(get /system/throughput | jq -er .throughput)"
echo "current_deflector $(get /system/deflector | jq -er .current_target)"
