import type { ResponseContext } from '../../core/response-context.js';
import { encodePath } from '../../core/ui/addresses.js';
import { visibilityName, type VisibilityName } from '../../identity/members/visibility.js';
import {
  presentUserBasic,
  type UserBasicResponse,
  type UserBasics,
} from '../../identity/users/user.presenter.js';
import type { SnippetRow } from './snippets.repository.js';

/** Branch that the links of files name; new snippets have it as their only one. */
export const SNIPPET_BRANCH = 'main';

/** A file of a snippet. */
interface FileResponse {
  /** @example "bin/sharpen.sh" */
  path: string;
  /** @example "https://guildhall.example.com/-/snippets/42/raw/main/bin/sharpen.sh" */
  raw_url: string;
}

/** Where a snippet is on the web, and where to clone it once it has a repository. */
export interface SnippetLinks {
  /** @example "https://guildhall.example.com/-/snippets/42" */
  web_url: string;
  /** @example "https://guildhall.example.com/-/snippets/42/raw" */
  raw_url: string;
  /** Absent without a repository, else null: Git over SSH is not supported. */
  ssh_url_to_repo?: null;
  /**
   * Absent without a repository.
   * @example "https://guildhall.example.com/snippets/42.git"
   */
  http_url_to_repo?: string;
}

/** A snippet. */
export interface SnippetResponse extends SnippetLinks {
  id: number;
  /** @example "Sharpening script" */
  title: string;
  /**
   * Path of the first file; null in an empty repository.
   * @example "bin/sharpen.sh"
   */
  file_name: string | null;
  description: string | null;
  visibility: VisibilityName;
  author: UserBasicResponse;
  /** @format date-time */
  created_at: string;
  /** @format date-time */
  updated_at: string;
  /** null for a personal snippet. */
  project_id: number | null;
  files: FileResponse[];
  imported: boolean;
  imported_from: 'none';
  /**
   * Storage of the repository; for administrators only.
   * @example "default"
   */
  repository_storage?: string;
}

/** Returns a snippet for the API; only administrators get the storage's name. */
export function presentSnippet(
  row: SnippetRow,
  { viewer, baseUrl }: ResponseContext,
): SnippetResponse {
  const links = presentSnippetLinks(row, baseUrl);
  return {
    id: row.id,
    title: row.title,
    file_name: row.filePaths[0] ?? null,
    description: row.description,
    visibility: visibilityName(row.visibility),
    author: presentUserBasic(authorOf(row), baseUrl),
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    project_id: row.projectId,
    ...links,
    files: row.filePaths.map((path) => ({ path, raw_url: fileUrl(links.web_url, path) })),
    imported: false,
    imported_from: 'none',
    ...(viewer?.admin === true && { repository_storage: row.repositoryStorage }),
  };
}

function authorOf(row: SnippetRow): UserBasics {
  return {
    id: row.authorId,
    username: row.authorUsername,
    name: row.authorName,
    state: row.authorState,
    avatar: row.authorAvatar,
  };
}

/** The addresses of a snippet, wherever it is shown. */
export function presentSnippetLinks(
  {
    id,
    projectFullPath,
    hasRepository,
  }: Pick<SnippetRow, 'id' | 'projectFullPath' | 'hasRepository'>,
  baseUrl: string,
): SnippetLinks {
  const prefix = projectFullPath === null ? '' : `${projectFullPath}/`;
  const webUrl = `${baseUrl}/${prefix}-/snippets/${id}`;
  const links = { web_url: webUrl, raw_url: `${webUrl}/raw` };
  if (!hasRepository) return links;
  const path = `${prefix}snippets/${id}.git`;
  return {
    ...links,
    ssh_url_to_repo: null,
    http_url_to_repo: `${baseUrl}/${path}`,
  };
}

function fileUrl(webUrl: string, path: string): string {
  return `${webUrl}/raw/${SNIPPET_BRANCH}/${encodePath(path)}`;
}
