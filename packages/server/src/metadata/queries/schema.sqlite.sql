-- 1 cluster
create table "cluster_settings" ("key" text primary key,
  "value" text not null,
  "updated_at" bigint not null);
create table "nodes" ("node_id" text primary key,
  "hostname" text not null,
  "transport_address" text not null,
  "version" text not null,
  "started_at" bigint not null,
  "last_seen" bigint not null,
  "is_leader" boolean not null,
  "details" text not null);

-- 2 users
create table "users" ("id" text primary key,
  "username" text not null,
  "username_key" text not null unique,
  "search_key" text not null,
  "email" text not null,
  "full_name" text not null,
  "first_name" text not null,
  "last_name" text not null,
  "password_hash" text not null,
  "permissions" text not null,
  "preferences" text not null,
  "timezone" text,
  "session_timeout_ms" bigint not null,
  "startpage" text,
  "status" text not null,
  "service_account" boolean not null,
  "created_at" bigint not null,
  "last_activity" bigint,
  "client_address" text);
create table "roles" ("id" text primary key,
  "name" text not null,
  "name_key" text not null unique,
  "description" text not null,
  "permissions" text not null,
  "read_only" boolean not null,
  "created_at" bigint not null);
create table "user_roles" ("user_id" text not null references "users" ("id") on delete cascade,
  "role_id" text not null references "roles" ("id") on delete cascade,
  constraint "user_roles_pkey" primary key ("user_id", "role_id"));
create index "user_roles_role" on "user_roles" ("role_id");
create table "access_tokens" ("id" text primary key,
  "user_id" text references "users" ("id") on delete cascade,
  "username" text not null,
  "username_key" text not null,
  "name" text not null,
  "token_hash" text not null unique,
  "created_at" bigint not null,
  "last_access" bigint not null);
create index "access_tokens_user" on "access_tokens" ("user_id");
create index "access_tokens_username" on "access_tokens" ("username_key");
create table "sessions" ("id_hash" text primary key,
  "user_id" text references "users" ("id") on delete cascade,
  "username" text not null,
  "username_key" text not null,
  "created_at" bigint not null,
  "last_used_at" bigint not null,
  "timeout_ms" bigint not null,
  "client_address" text);
create index "sessions_user" on "sessions" ("user_id");
create index "sessions_username" on "sessions" ("username_key");

-- 3 records
create table "audit_log" ("sequence" integer primary key autoincrement,
  "time" bigint not null,
  "actor" text not null,
  "actor_address" text,
  "action" text not null,
  "object_type" text not null,
  "object_id" text,
  "before" text,
  "after" text,
  "outcome" text not null);
create index "audit_log_time" on "audit_log" ("time", "sequence");
create index "audit_log_actor_time" on "audit_log" ("actor", "time", "sequence");
create index "audit_log_action_time" on "audit_log" ("action", "time", "sequence");
create index "audit_log_object_type_object_id_time" on "audit_log" ("object_type", "object_id", "time", "sequence");
create table "system_messages" ("sequence" integer primary key autoincrement,
  "caller" text not null,
  "content" text not null,
  "timestamp" bigint not null,
  "node_id" text not null);
create table "notifications" ("type" text not null,
  "key" text not null,
  "severity" text not null,
  "timestamp" bigint not null,
  "node_id" text not null,
  "details" text not null,
  constraint "notifications_pkey" primary key ("type", "key"));

-- 4 leases-and-traffic
create table "leases" ("name" text primary key,
  "holder" text not null,
  "expires_at" bigint not null);
create table "traffic" ("hour" bigint not null,
  "node_id" text not null,
  "input" bigint not null,
  "decoded" bigint not null,
  "output" bigint not null,
  constraint "traffic_pkey" primary key ("hour", "node_id"));

-- 5 inputs
create table "inputs" ("id" text primary key,
  "title" text not null,
  "type" text not null,
  "global" boolean not null,
  "node_id" text,
  "configuration" text not null,
  "desired_state" text not null,
  "creator" text not null,
  "content_pack" text,
  "created_at" bigint not null);
create table "input_static_fields" ("input_id" text not null references "inputs" ("id") on delete cascade,
  "name" text not null,
  "value" text not null,
  constraint "input_static_fields_pkey" primary key ("input_id", "name"));

-- 6 streams
create table "streams" ("id" text primary key,
  "title" text not null,
  "description" text not null,
  "creator" text not null,
  "matching_type" text not null,
  "remove_matches" boolean not null,
  "index_set_id" text not null,
  "state" text not null,
  "state_reason" text,
  "content_pack" text,
  "created_at" bigint not null);
create index "streams_index_set" on "streams" ("index_set_id");
create table "stream_rules" ("id" text primary key,
  "stream_id" text not null references "streams" ("id") on delete cascade,
  "position" bigint not null,
  "type" bigint not null,
  "field" text not null,
  "value" text not null,
  "inverted" boolean not null,
  "description" text not null,
  "content_pack" text);
create index "stream_rules_stream" on "stream_rules" ("stream_id");

-- 7 index sets
create table "index_sets" ("id" text primary key,
  "title" text not null,
  "description" text,
  "prefix" text not null unique,
  "shards" bigint not null,
  "replicas" bigint not null,
  "rotation" text not null,
  "retention" text not null,
  "writable" boolean not null,
  "is_default" boolean not null,
  "analyzer" text not null,
  "max_segments" bigint not null,
  "optimization_disabled" boolean not null,
  "field_type_refresh_ms" bigint not null,
  "deleting" boolean not null,
  "created_at" bigint not null);
create table "indices" ("index_set_id" text not null references "index_sets" ("id") on delete cascade,
  "number" bigint not null,
  "version" bigint not null,
  "state" text not null,
  "created_at" bigint not null,
  constraint "indices_pkey" primary key ("index_set_id", "number"));
create table "index_set_fields" ("index_set_id" text not null references "index_sets" ("id") on delete cascade,
  "name" text not null,
  "type" text not null,
  constraint "index_set_fields_pkey" primary key ("index_set_id", "name", "type"));
create table "index_version" ("name" text primary key,
  "value" bigint not null);

-- 8 saved searches
create table "saved_searches" ("id" text primary key,
  "title" text not null unique,
  "description" text,
  "creator" text not null,
  "content" text not null,
  "created_at" bigint not null,
  "updated_at" bigint not null);
create table "search_history" ("owner" text not null,
  "user_id" text references "users" ("id") on delete cascade,
  "query_key" text not null,
  "query" text not null,
  "used_at" bigint not null,
  "uses" bigint not null,
  constraint "search_history_pkey" primary key ("owner", "query_key"));
create index "search_history_user" on "search_history" ("user_id");

-- 9 searches of views
create table "view_searches" ("id" text primary key,
  "owner" text not null,
  "user_id" text references "users" ("id") on delete cascade,
  "content" text not null,
  "stored_at" bigint not null);
create index "view_searches_owner" on "view_searches" ("owner", "stored_at");
create index "view_searches_user" on "view_searches" ("user_id");

-- 10 time range and streams of used queries
alter table "search_history" add column "scope" text;

-- 11 alert notifications
create table "alert_notifications" ("id" text primary key,
  "stream_id" text references "streams" ("id") on delete cascade,
  "type" text not null,
  "wire_type" text not null,
  "title" text not null,
  "description" text not null,
  "configuration" text not null,
  "creator" text not null,
  "created_at" bigint not null,
  "updated_at" bigint not null);
create index "alert_notifications_stream" on "alert_notifications" ("stream_id");
create table "alert_notices" ("id" text primary key,
  "kind" text not null,
  "rule_id" text not null,
  "rule_title" text not null,
  "alert_id" text,
  "stream_ids" text not null,
  "description" text not null,
  "content" text,
  "created_at" bigint not null);
create index "alert_notices_alert" on "alert_notices" ("alert_id");
create index "alert_notices_time" on "alert_notices" ("created_at");
create table "alert_deliveries" ("id" text primary key,
  "notice_id" text not null references "alert_notices" ("id") on delete cascade,
  "notification_id" text not null,
  "notification_type" text not null,
  "notification_title" text not null,
  "rule_id" text not null,
  "state" text not null,
  "attempts" bigint not null,
  "next_attempt_at" bigint not null,
  "first_attempt_at" bigint,
  "claimed_by" text,
  "claimed_until" bigint,
  "done_parts" text not null,
  "digest_id" text,
  "error" text,
  "created_at" bigint not null,
  "finished_at" bigint,
  constraint "alert_deliveries_once" unique ("notice_id", "notification_id"));
create index "alert_deliveries_due" on "alert_deliveries" ("state", "next_attempt_at");
create index "alert_deliveries_notification" on "alert_deliveries" ("notification_id", "first_attempt_at");
create index "alert_deliveries_rule" on "alert_deliveries" ("rule_id", "first_attempt_at");
create index "alert_deliveries_time" on "alert_deliveries" ("first_attempt_at");
create table "alert_delivery_attempts" ("id" integer primary key autoincrement,
  "delivery_id" text not null references "alert_deliveries" ("id") on delete cascade,
  "started_at" bigint not null,
  "finished_at" bigint,
  "outcome" text,
  "error" text);
create index "alert_delivery_attempts_delivery" on "alert_delivery_attempts" ("delivery_id");

-- 12 alerts
create table "alert_rules" ("id" text primary key,
  "stream_id" text references "streams" ("id") on delete cascade,
  "title" text not null,
  "description" text not null,
  "creator" text not null,
  "enabled" boolean not null,
  "content" text not null,
  "created_at" bigint not null,
  "updated_at" bigint not null);
create index "alert_rules_stream" on "alert_rules" ("stream_id");
create table "alert_rule_states" ("rule_id" text primary key references "alert_rules" ("id") on delete cascade,
  "evaluated_until" bigint not null,
  "attempted_at" bigint not null,
  "failures" bigint not null,
  "last_error" text,
  "muted_until" bigint);
create table "alerts" ("id" text primary key,
  "rule_id" text not null,
  "stream_id" text references "streams" ("id") on delete cascade,
  "key_id" text not null,
  "triggered_at" bigint not null,
  "resolved_at" bigint,
  "notified_at" bigint,
  "event_stored" boolean not null,
  "content" text not null,
  constraint "alerts_once" unique ("rule_id", "key_id", "triggered_at"));
create index "alerts_stream" on "alerts" ("stream_id", "triggered_at");
create index "alerts_rule" on "alerts" ("rule_id", "resolved_at");
create index "alerts_time" on "alerts" ("triggered_at");
create index "alerts_event" on "alerts" ("event_stored", "id");

-- 13 outputs
create table "outputs" ("id" text primary key,
  "title" text not null,
  "type" text not null,
  "configuration" text not null,
  "desired_state" text not null,
  "creator" text not null,
  "content_pack" text,
  "created_at" bigint not null);
create table "stream_outputs" ("stream_id" text not null references "streams" ("id") on delete cascade,
  "output_id" text not null references "outputs" ("id") on delete cascade,
  "created_at" bigint not null,
  constraint "stream_outputs_pkey" primary key ("stream_id", "output_id"));
create index "stream_outputs_output" on "stream_outputs" ("output_id");

-- 14 pipelines
create table "pipeline_rules" ("id" text primary key,
  "title" text not null unique,
  "description" text not null,
  "source" text not null,
  "disabled_reason" text,
  "created_at" bigint not null,
  "updated_at" bigint not null);
create table "pipelines" ("id" text primary key,
  "title" text not null unique,
  "description" text not null,
  "source" text not null,
  "created_at" bigint not null,
  "updated_at" bigint not null);
create table "pipeline_connections" ("stream_id" text not null references "streams" ("id") on delete cascade,
  "pipeline_id" text not null references "pipelines" ("id") on delete cascade,
  constraint "pipeline_connections_pkey" primary key ("stream_id", "pipeline_id"));
create index "pipeline_connections_pipeline" on "pipeline_connections" ("pipeline_id");

-- 15 event-keys
alter table "alerts" add column "event_key_id" text;
create index "alerts_event_key" on "alerts" ("rule_id", "event_key_id", "notified_at");

-- 16 grok patterns and lookup tables
create table "grok_patterns" ("id" text primary key,
  "name" text not null unique,
  "pattern" text not null,
  "content_pack" text,
  "created_at" bigint not null,
  "updated_at" bigint not null);
create table "lookup_caches" ("id" text primary key,
  "name" text not null unique,
  "title" text not null,
  "description" text not null,
  "type" text not null,
  "configuration" text not null,
  "created_at" bigint not null,
  "updated_at" bigint not null);
create table "lookup_adapters" ("id" text primary key,
  "name" text not null unique,
  "title" text not null,
  "description" text not null,
  "type" text not null,
  "configuration" text not null,
  "created_at" bigint not null,
  "updated_at" bigint not null);
create table "lookup_tables" ("id" text primary key,
  "name" text not null unique,
  "title" text not null,
  "description" text not null,
  "cache_id" text not null references "lookup_caches" ("id"),
  "adapter_id" text not null references "lookup_adapters" ("id"),
  "default_single" text not null,
  "default_multi" text not null,
  "created_at" bigint not null,
  "updated_at" bigint not null);
create index "lookup_tables_cache" on "lookup_tables" ("cache_id");
create index "lookup_tables_adapter" on "lookup_tables" ("adapter_id");

-- 17 extractors
create table "extractors" ("id" text primary key,
  "input_id" text not null references "inputs" ("id") on delete cascade,
  "title" text not null,
  "type" text not null,
  "cursor_strategy" text not null,
  "source_field" text not null,
  "target_field" text not null,
  "configuration" text not null,
  "converters" text not null,
  "condition_type" text not null,
  "condition_value" text not null,
  "position" bigint not null,
  "creator" text not null,
  "disabled_reason" text,
  "created_at" bigint not null);
create index "extractors_input" on "extractors" ("input_id");

-- 18 stream-fields
create table "stream_fields" ("index_set_id" text not null references "index_sets" ("id") on delete cascade,
  "stream_id" text not null references "streams" ("id") on delete cascade,
  "name" text not null,
  "type" text not null,
  constraint "stream_fields_pkey" primary key ("index_set_id", "stream_id", "name", "type"));
create index "stream_fields_stream" on "stream_fields" ("stream_id");
create table "indices_without_stream_fields" ("index_set_id" text not null,
  "number" bigint not null,
  constraint "indices_without_stream_fields_pkey" primary key ("index_set_id", "number"),
  constraint "indices_without_stream_fields_index" foreign key ("index_set_id", "number") references "indices" ("index_set_id", "number") on delete cascade);
insert into indices_without_stream_fields (index_set_id, number)
      select index_set_id, number
  from indices;

-- 19 lookup-entries
create table "lookup_entries" ("adapter_id" text not null references "lookup_adapters" ("id") on delete cascade,
  "key" text not null,
  "value" text not null,
  "revision" bigint not null,
  "expires_at" bigint,
  constraint "lookup_entries_pkey" primary key ("adapter_id", "key"));
create index "lookup_entries_expires" on "lookup_entries" ("expires_at");

-- 20 data-tiering
alter table "index_sets" add column "data_tiering" text;

-- 21 alert-search
alter table "alerts" add column "search_key" text default '' not null;
select "id", "content"
  from "alerts"
  where "id" > ?
  order by "id"
  limit ?;
create index "alerts_resolved" on "alerts" ("resolved_at", "triggered_at");

-- 22 field-types
alter table "index_sets" add column "field_types" text;

-- 23 alerts-and-events
alter table "alerts" add column "is_alert" boolean default true not null;
select "id", "content"
  from "alerts"
  where "id" > ?
  order by "id"
  limit ?;
create index "alerts_of_stream" on "alerts" ("stream_id", "is_alert", "triggered_at");
