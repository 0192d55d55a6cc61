/** Makes label $1 one of group $2. */
export const PROMOTE_SQL = `
  INSERT INTO labels (group_id, name, description, color)
  SELECT $2::bigint, name, description, color FROM labels WHERE id = $1
  ON CONFLICT (group_id, name) DO UPDATE SET updated_at = now() RETURNING id`;

/** Removes the labels below that label $2 of group $1 replaces; issues keep the name. */
export const REMOVE_PROMOTED_SQL = `
  DELETE FROM labels l USING projects p JOIN namespaces n ON n.id = p.namespace_id
  WHERE l.project_id = p.id AND n.traversal_ids @> ARRAY[$1::bigint]
    AND l.name = (SELECT name FROM labels WHERE id = $2)`;

/** Gives label $2 of group $1 the subscribers of the labels below with its name. */
export const KEEP_SUBSCRIBERS_SQL = `
  INSERT INTO label_subscriptions (label_id, user_id)
  SELECT DISTINCT $2::bigint, s.user_id FROM labels l
  JOIN projects p ON p.id = l.project_id JOIN namespaces n ON n.id = p.namespace_id
  JOIN label_subscriptions s ON s.label_id = l.id
  WHERE n.traversal_ids @> ARRAY[$1::bigint] AND l.name = (SELECT name FROM labels WHERE id = $2)
  ON CONFLICT DO NOTHING`;
