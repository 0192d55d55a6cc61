import { accessLevelSql } from '../members/member-access.service.js';
import { sendsMailsSql } from './emails-enabled.js';

/** A group as guards and presenters need it, with the asker's effective level in it. */
export interface GroupRow {
  id: number;
  name: string;
  path: string;
  fullPath: string;
  fullName: string;
  parentId: number | null;
  description: string;
  visibility: number;
  /** Digest of its avatar's images; null without one. */
  avatar: string | null;
  requestAccessEnabled: boolean;
  /** What was decided for this group. */
  emailsEnabled: boolean;
  /** Whether anybody gets mails about what happens here: it and all groups above have them on. */
  sendsMails: boolean;
  repositoryStorage: string;
  repositoryReadOnly: boolean;
  createdAt: Date;
  updatedAt: Date;
  accessLevel: number;
}

export const GROUP_FROM = `groups g JOIN namespaces n ON n.id = g.id AND n.kind = 'group'`;

/** Columns of a GroupRow; `user` is the placeholder of the asker's id, which may be null. */
export function groupColumns(user: string): string {
  return `g.id, n.name, n.path, n.full_path AS "fullPath", n.full_name AS "fullName",
    n.parent_id AS "parentId", g.description, g.visibility, g.avatar,
    g.request_access_enabled AS "requestAccessEnabled", g.emails_enabled AS "emailsEnabled",
    g.repository_storage AS "repositoryStorage", g.repository_read_only AS "repositoryReadOnly",
    n.created_at AS "createdAt", n.updated_at AS "updatedAt",
    ${sendsMailsSql('n.id')} AS "sendsMails",
    ${accessLevelSql(`${user}::bigint`, 'n', 'NULL')} AS "accessLevel"`;
}
