-- roles.insert
insert into "roles" ("id", "name", "name_key", "description", "permissions", "read_only", "created_at")
  values ($1, $2, $3, $4, $5, $6, $7);

-- roles.ensure
insert into "roles" ("id", "name", "name_key", "description", "permissions", "read_only", "created_at")
  values ($1, $2, $3, $4, $5, $6, $7)
  on conflict ("name_key") do update
  set "name" = $8, "description" = $9, "permissions" = $10, "read_only" = $11;

-- roles.update
update "roles"
  set "id" = $1
  where "id" = $2
  returning *;
update "roles"
  set "id" = $1, "name" = $2, "name_key" = $3, "description" = $4, "permissions" = $5
  where "id" = $6
  returning *;

-- roles.remove
delete from "roles"
  where "id" = $1;

-- roles.findByName
select *
  from "roles"
  where "name_key" = $1;

-- roles.findByNames
select *
  from "roles"
  where "name_key" in ($1, $2)
  order by "name_key";

-- roles.list
select *
  from "roles"
  order by "name_key";

-- roles.listMembers
select "users"."username"
  from "user_roles"
  inner join "users" on "users"."id" = "user_roles"."user_id"
  where "user_roles"."role_id" = $1
  order by "users"."username_key";

-- roles.addMember
insert into "user_roles" ("user_id", "role_id")
  values ($1, $2)
  on conflict ("user_id", "role_id") do nothing;

-- roles.removeMember
delete from "user_roles"
  where "user_id" = $1
  and "role_id" = $2;
