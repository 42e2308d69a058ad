-- accessTokens.insert
insert into "access_tokens" ("id", "user_id", "username", "username_key", "name", "token_hash", "created_at", "last_access")
  values ($1, $2, $3, $4, $5, $6, $7, $8);

-- accessTokens.findByHash
select *
  from "access_tokens"
  where "token_hash" = $1;

-- accessTokens.findById
select *
  from "access_tokens"
  where "id" = $1;

-- accessTokens.listByUsername
select *
  from "access_tokens"
  where "username_key" = $1
  order by "created_at", "id";

-- accessTokens.touch
update "access_tokens"
  set "last_access" = $1
  where "id" = $2
  and "last_access" < $3;

-- accessTokens.remove
delete from "access_tokens"
  where "id" = $1;

-- accessTokens.removeByUsername
delete from "access_tokens"
  where "username_key" = $1;
