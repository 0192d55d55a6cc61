/**
 * Subscribes user $1 to label $2; nothing if one of them is gone. Neither can be deleted meanwhile.
 */
export const SUBSCRIBE_SQL = `
  INSERT INTO label_subscriptions (label_id, user_id)
  SELECT l.id, u.id FROM users u JOIN labels l ON l.id = $2 WHERE u.id = $1 FOR KEY SHARE
  ON CONFLICT DO NOTHING RETURNING label_id`;

export const UNSUBSCRIBE_SQL = `
  DELETE FROM label_subscriptions WHERE user_id = $1 AND label_id = $2 RETURNING label_id`;
