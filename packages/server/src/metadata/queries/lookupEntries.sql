-- lookupEntries.find
select *
  from "lookup_entries"
  where "adapter_id" = $1
  and "key" = $2;

-- lookupEntries.change
select *
  from "lookup_entries"
  where "adapter_id" = $1
  and "key" = $2;
insert into "lookup_entries" ("adapter_id", "key", "revision", "value", "expires_at")
  values ($1, $2, $3, $4, $5)
  on conflict ("adapter_id", "key") do nothing;
select *
  from "lookup_entries"
  where "adapter_id" = $1
  and "key" = $2;
update "lookup_entries"
  set "value" = $1, "expires_at" = $2, "revision" = $3
  where ("adapter_id" = $4
  and "key" = $5
  and "revision" = $6);
select *
  from "lookup_entries"
  where "adapter_id" = $1
  and "key" = $2;
delete from "lookup_entries"
  where ("adapter_id" = $1
  and "key" = $2
  and "revision" = $3);

-- lookupEntries.listPage
select sum(length(value)) as "characters"
  from (select "key", "value", "expires_at"
  from "lookup_entries"
  where "adapter_id" = $1
  and ("expires_at" is null or "expires_at" > $2)
  and (lower("key") like $3 escape '!' or "key" like $4 escape '!')
  order by "key" asc
  limit $5 offset $6) as "page";
select "key", "value", "expires_at"
  from "lookup_entries"
  where "adapter_id" = $1
  and ("expires_at" is null or "expires_at" > $2)
  and (lower("key") like $3 escape '!' or "key" like $4 escape '!')
  order by "key" asc
  limit $5 offset $6;
select count(*) as "total"
  from "lookup_entries"
  where "adapter_id" = $1
  and ("expires_at" is null or "expires_at" > $2)
  and (lower("key") like $3 escape '!' or "key" like $4 escape '!');

-- lookupEntries.count
select count(*) as "count"
  from "lookup_entries"
  where "adapter_id" = $1;

-- lookupEntries.removeExpired
delete from "lookup_entries"
  where "expires_at" <= $1;
