-- grants.add
update "users"
  set "id" = $1
  where "id" = $2
  returning "permissions";
update "users"
  set "permissions" = $1
  where "id" = $2;

-- grants.removeFromAll
select "id"
  from "users"
  where ("permissions" like $1 escape '!' or "permissions" like $2 escape '!')
  order by "id";
update "users"
  set "id" = $1
  where "id" = $2
  returning "permissions";
update "users"
  set "permissions" = $1
  where "id" = $2;
select "id"
  from "roles"
  where ("permissions" like $1 escape '!' or "permissions" like $2 escape '!')
  order by "id";
