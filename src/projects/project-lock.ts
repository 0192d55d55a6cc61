import type { EntityManager } from 'typeorm';
import { NotFoundError } from '../core/errors.js';

/** A project as it is by now: it may have changed since the request found it. */
export interface LockedProject {
  id: number;
  name: string;
  path: string;
  visibility: number;
  description: string | null;
  topics: string[];
  issuesEnabled: boolean;
  mergeRequestsEnabled: boolean;
  wikiEnabled: boolean;
  snippetsEnabled: boolean;
  repositoryEnabled: boolean;
  requestAccessEnabled: boolean;
  emailsEnabled: boolean;
  namespaceId: number;
  namespaceFullPath: string;
}

/**
 * Reads a project and keeps others from changing it until the transaction ends. Lock the namespace
 * that it is to be in first. Throws 404 when it is gone or being deleted.
 */
export async function lockProject(tx: EntityManager, id: number): Promise<LockedProject> {
  const rows: LockedProject[] = await tx.query(
    `SELECT p.id, p.name, p.path, p.visibility, p.description, p.topics,
            p.issues_enabled AS "issuesEnabled",
            p.merge_requests_enabled AS "mergeRequestsEnabled", p.wiki_enabled AS "wikiEnabled",
            p.snippets_enabled AS "snippetsEnabled", p.repository_enabled AS "repositoryEnabled",
            p.request_access_enabled AS "requestAccessEnabled",
            p.emails_enabled AS "emailsEnabled", p.namespace_id AS "namespaceId",
            n.full_path AS "namespaceFullPath"
     FROM projects p JOIN namespaces n ON n.id = p.namespace_id
     WHERE p.id = $1 AND NOT p.pending_delete FOR NO KEY UPDATE OF p`,
    [id],
  );
  const [project] = rows;
  if (project === undefined) throw new NotFoundError('Project');
  return project;
}
