import type { DataSource } from 'typeorm';
import type { Viewer } from '../../core/access/viewer.js';

/** A merge whose pipeline has succeeded. */
export interface DueMerge {
  projectId: number;
  iid: number;
  /** The head that was to be merged. */
  sha: string;
  /** null = the usual one. */
  message: string | null;
  /** User who enabled auto-merge, with their current permissions. */
  viewer: Viewer;
}

const NEXT_SQL = `
  SELECT id FROM merge_requests WHERE auto_merge_due AND id > $1 ORDER BY id LIMIT 1`;

const FIND_SQL = `
  SELECT r.project_id AS "projectId", r.iid, r.auto_merge_sha AS sha,
    r.auto_merge_message AS message,
    json_build_object('id', u.id, 'username', u.username, 'name', u.name, 'email', u.email,
      'avatar', u.avatar,      'admin', u.admin, 'external', u.external, 'state', u.state, 'userType', u.user_type,
      'confirmed', u.confirmed_at IS NOT NULL) AS viewer
  FROM merge_requests r JOIN users u ON u.id = r.auto_merge_user_id
  WHERE r.id = $1 AND r.auto_merge_due AND r.state = 'opened' AND r.auto_merge_sha = r.head_sha`;

/** The first one that is due with a greater id; null after the last. */
export async function nextDue(dataSource: DataSource, after: number): Promise<number | null> {
  const [next] = await dataSource.query<{ id: number }[]>(NEXT_SQL, [after]);
  return next?.id ?? null;
}

/** Returns the merge, or null if it is no longer due. */
export async function findDue(dataSource: DataSource, id: number): Promise<DueMerge | null> {
  const [due] = await dataSource.query<DueMerge[]>(FIND_SQL, [id]);
  return due ?? null;
}
