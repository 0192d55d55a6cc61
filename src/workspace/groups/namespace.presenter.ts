import { avatarUrl } from '../../core/avatars/avatar-address.js';
import type { NamespaceKind } from '../../identity/users/namespace.entity.js';

export interface NamespaceRow {
  id: number;
  name: string;
  path: string;
  kind: NamespaceKind;
  fullPath: string;
  parentId: number | null;
  /** The user whose namespace it is; null for groups. */
  ownerId: number | null;
  /** Digest of the images of the group's or the user's avatar; null without one. */
  avatar: string | null;
}

/** Namespace of a project: a group or a user's namespace. */
export interface NamespaceResponse {
  id: number;
  /** @example "Builders" */
  name: string;
  /**
   * The last part of `full_path`.
   * @example "builders"
   */
  path: string;
  kind: NamespaceKind;
  /** @example "tools/builders" */
  full_path: string;
  /** Parent group; null for top-level groups and users. */
  parent_id: number | null;
  /** URL of the avatar; null without one. */
  avatar_url: string | null;
  /** @example "https://guildhall.example.com/groups/tools/builders" */
  web_url: string;
}

/** Returns the namespace of a project: a group or a user's namespace. */
export function presentNamespace(row: NamespaceRow, baseUrl: string): NamespaceResponse {
  const webPath = row.kind === 'group' ? `groups/${row.fullPath}` : row.fullPath;
  return {
    id: row.id,
    name: row.name,
    path: row.path,
    kind: row.kind,
    full_path: row.fullPath,
    parent_id: row.parentId,
    avatar_url: avatarOf(row, baseUrl),
    web_url: `${baseUrl}/${webPath}`,
  };
}

/** A user's namespace shows the user's avatar. */
function avatarOf({ id, kind, ownerId, avatar }: NamespaceRow, baseUrl: string): string | null {
  return avatarUrl(kind, { id: ownerId ?? id, avatar }, baseUrl);
}
