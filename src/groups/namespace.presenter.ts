import type { NamespaceKind } from '../users/namespace.entity.js';

export interface NamespaceRow {
  id: number;
  name: string;
  path: string;
  kind: NamespaceKind;
  fullPath: string;
  parentId: number | null;
}

export interface NamespaceJson {
  id: number;
  name: string;
  path: string;
  kind: NamespaceKind;
  full_path: string;
  parent_id: number | null;
  avatar_url: null;
  web_url: string;
}

/** What a project lies in: a group or the namespace of a user. */
export function presentNamespace(row: NamespaceRow, baseUrl: string): NamespaceJson {
  const webPath = row.kind === 'group' ? `groups/${row.fullPath}` : row.fullPath;
  return {
    id: row.id,
    name: row.name,
    path: row.path,
    kind: row.kind,
    full_path: row.fullPath,
    parent_id: row.parentId,
    avatar_url: null,
    web_url: `${baseUrl}/${webPath}`,
  };
}
