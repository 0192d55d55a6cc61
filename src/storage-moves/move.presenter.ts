import { visibilityName } from '../members/visibility.js';
import type { GroupMoveRow, MoveRow, ProjectMoveRow, SnippetMoveRow } from './move-row.js';

/** A move as clients know it, with fields of our own that say how far it is and why it ended. */
function presentMove(row: MoveRow): Record<string, unknown> {
  return {
    id: row.id,
    created_at: row.created_at,
    state: row.state,
    source_storage_name: row.source_storage_name,
    destination_storage_name: row.destination_storage_name,
    error_message: row.error_message,
    updated_at: row.updated_at,
    started_at: row.started_at,
    finished_at: row.finished_at,
    attempts: row.attempt,
    phase: row.phase,
    bytes_total: row.bytes_total,
    bytes_copied: row.bytes_copied,
    read_only_seconds: row.read_only_seconds,
    checksum: row.checksum,
  };
}

/** A move of a project's repositories. */
export function presentProjectMove(row: ProjectMoveRow): Record<string, unknown> {
  return {
    ...presentMove(row),
    project: {
      id: row.project_id,
      description: row.project_description,
      name: row.project_name,
      name_with_namespace: `${row.namespace_full_name} / ${row.project_name}`,
      path: row.project_path,
      path_with_namespace: `${row.namespace_full_path}/${row.project_path}`,
      created_at: row.project_created_at,
    },
  };
}

/** A move of a group's wiki repository. */
export function presentGroupMove(row: GroupMoveRow, baseUrl: string): Record<string, unknown> {
  const webUrl = `${baseUrl}/groups/${row.group_full_path}`;
  return {
    ...presentMove(row),
    group: { id: row.group_id, web_url: webUrl, name: row.group_name },
  };
}

/** A move of a snippet's repository; the address to clone is there once a repository is. */
export function presentSnippetMove(row: SnippetMoveRow, baseUrl: string): Record<string, unknown> {
  const place = row.project_full_path === null ? '' : `/${row.project_full_path}`;
  const webUrl = `${baseUrl}${place}/-/snippets/${row.snippet_id}`;
  const path = `${place}/snippets/${row.snippet_id}.git`;
  const addresses = row.has_repository
    ? { ssh_url_to_repo: sshAddress(baseUrl, path), http_url_to_repo: `${baseUrl}${path}` }
    : {};
  return {
    ...presentMove(row),
    snippet: {
      id: row.snippet_id,
      title: row.title,
      description: row.snippet_description,
      visibility: visibilityName(row.visibility),
      author: presentAuthor(row, baseUrl),
      created_at: row.snippet_created_at,
      updated_at: row.snippet_updated_at,
      project_id: row.project_id,
      web_url: webUrl,
      raw_url: `${webUrl}/raw`,
      ...addresses,
    },
  };
}

function presentAuthor(row: SnippetMoveRow, baseUrl: string): Record<string, unknown> {
  return {
    id: row.author_id,
    username: row.author_username,
    name: row.author_name,
    state: row.author_state,
    avatar_url: null,
    web_url: `${baseUrl}/${row.author_username}`,
  };
}

function sshAddress(baseUrl: string, path: string): string {
  return `git@${new URL(baseUrl).hostname}:${path.slice(1)}`;
}
