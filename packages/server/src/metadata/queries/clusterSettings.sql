-- clusterSettings.find
select "value"
  from "cluster_settings"
  where "key" = $1;

-- clusterSettings.listByPrefix
select "key", "value"
  from "cluster_settings"
  where "key" >= $1
  and "key" < $2
  order by "key";

-- clusterSettings.set
insert into "cluster_settings" ("key", "value", "updated_at")
  values ($1, $2, $3)
  on conflict ("key") do update
  set "value" = $4, "updated_at" = $5;

-- clusterSettings.setIfAbsent
insert into "cluster_settings" ("key", "value", "updated_at")
  values ($1, $2, $3)
  on conflict ("key") do nothing;
select "value"
  from "cluster_settings"
  where "key" = $1;

-- clusterSettings.remove
delete from "cluster_settings"
  where "key" = $1;

-- clusterSettings.clusterId
select "value"
  from "cluster_settings"
  where "key" = $1;
insert into "cluster_settings" ("key", "value", "updated_at")
  values ($1, $2, $3)
  on conflict ("key") do nothing;
select "value"
  from "cluster_settings"
  where "key" = $1;
