/** The row of the counter is held until the commit, so numbers follow the order of commits. */
export const NEXT_IID_SQL = `
  INSERT INTO issue_counters AS c (project_id, last_iid)
    SELECT id, 1 FROM projects WHERE id = $1 AND NOT pending_delete
  ON CONFLICT (project_id) DO UPDATE SET last_iid = c.last_iid + 1
  RETURNING last_iid AS iid`;

export const CHOSEN_IID_SQL = `
  INSERT INTO issue_counters AS c (project_id, last_iid)
    SELECT id, $2::bigint FROM projects WHERE id = $1 AND NOT pending_delete
  ON CONFLICT (project_id) DO UPDATE SET last_iid = greatest(c.last_iid, excluded.last_iid)
  RETURNING $2::bigint AS iid`;

/** Reads the lock of the discussion in the same statement, so that no one comments after it. */
export const TOUCH_SQL = `
  UPDATE issues SET updated_at = now() WHERE id = $1 RETURNING discussion_locked AS locked`;

/** Locks in the order of ids, so that two transactions never wait for each other. */
export const LOCK_SQL = `
  SELECT id, project_id AS "projectId" FROM issues
  WHERE id = ANY($1::bigint[]) AND state = $2 ORDER BY id FOR UPDATE`;

export const CLOSE_SQL = `
  UPDATE issues SET state = 'closed', closed_at = now(), closed_by_id = $2, updated_at = now()
  WHERE id = ANY($1::bigint[])`;

export const REOPEN_SQL = `
  UPDATE issues SET state = 'opened', closed_at = NULL, closed_by_id = NULL, updated_at = now()
  WHERE id = ANY($1::bigint[])`;
