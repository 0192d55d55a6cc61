import type { AuditedEntity } from '../core/audit/audit.service.js';
import type { User } from '../users/user.entity.js';

/** A snippet with what presenting and judging it needs, read in one statement. */
export interface SnippetRow {
  id: number;
  title: string;
  description: string | null;
  visibility: number;
  filePaths: string[];
  hasRepository: boolean;
  repositoryStorage: string;
  createdAt: Date;
  updatedAt: Date;
  authorId: number;
  authorUsername: string;
  authorName: string;
  authorState: User['state'];
  authorAvatar: string | null;
  projectId: number | null;
  projectFullPath: string | null;
  projectArchived: boolean | null;
}

/** A snippet and the asker's effective level in its project (0 for personal snippets). */
export interface FoundSnippet extends SnippetRow {
  accessLevel: number;
}

export const SNIPPET_COLUMNS = `
  s.id, s.title, s.description, s.visibility, s.file_paths AS "filePaths",
  s.has_repository AS "hasRepository", s.repository_storage AS "repositoryStorage",
  s.created_at AS "createdAt", s.updated_at AS "updatedAt",
  u.id AS "authorId", u.username AS "authorUsername", u.name AS "authorName",
  u.state AS "authorState", u.avatar AS "authorAvatar",
  s.project_id AS "projectId", n.full_path || '/' || p.path AS "projectFullPath",
  p.archived AS "projectArchived"`;

export const SNIPPET_TABLES = `snippets s
  JOIN users u ON u.id = s.author_id
  LEFT JOIN projects p ON p.id = s.project_id
  LEFT JOIN namespaces n ON n.id = p.namespace_id`;

/** Whose audit trail tells of the snippet: its project's, else its author's. */
export function trailOf(snippet: Pick<SnippetRow, 'projectId' | 'authorId'>): AuditedEntity {
  const { projectId, authorId } = snippet;
  if (projectId === null) return { type: 'User', id: authorId };
  return { type: 'Project', id: projectId };
}
