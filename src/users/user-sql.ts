/** UserBasics of the user at this alias, as SQL. */
export function userSql(alias: string): string {
  return `json_build_object('id', ${alias}.id, 'username', ${alias}.username,
    'name', ${alias}.name, 'state', ${alias}.state, 'avatar', ${alias}.avatar)`;
}

/** The same of a user that may be missing: null then. */
export function optionalUserSql(alias: string): string {
  return `CASE WHEN ${alias}.id IS NULL THEN NULL ELSE ${userSql(alias)} END`;
}
