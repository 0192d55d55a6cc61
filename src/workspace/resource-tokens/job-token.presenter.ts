import type { JobCredential } from '../../identity/auth/job-token-lookup.service.js';
import type { MintedToken } from '../../identity/tokens/token-details.js';
import { fullPathOf, type ProjectRow } from '../projects/projects.repository.js';
import type { UserBasicResponse } from '../../identity/users/user.response.js';
import { presentUserBasic } from '../../identity/users/user.presenter.js';

/** New job token. */
export interface JobTokenResponse {
  id: number;
  /** Project that it gives access to. */
  project_id: number;
  /** User of the token. */
  user_id: number;
  created_at: string;
  expires_at: string;
  /**
   * Token value, shown only once.
   * @example "svcjt-0a1b2c3d4e5f6g7h8i9j0k1l2m3n4o5p"
   */
  token: string;
}

/** Presents a new job token with its value. */
export function presentJobToken({ details, raw }: MintedToken): JobTokenResponse {
  return {
    id: details.id,
    project_id: Number(details.projectId),
    user_id: details.userId,
    created_at: details.createdAt.toISOString(),
    expires_at: (details.expiresAt as Date).toISOString(),
    token: raw,
  };
}

/** Job that the token belongs to. */
export interface JobResponse {
  /** ID of the job token. */
  id: number;
  /** Project that it gives access to. */
  project: JobProjectResponse;
  /** User of the token. */
  user: UserBasicResponse;
  /** Expiry time of the token. */
  expires_at: string | null;
}

/** The project of a job. */
export interface JobProjectResponse {
  id: number;
  name: string;
  path: string;
  /** @example "weavers/loom" */
  path_with_namespace: string;
  /** Clone URL, for the username `svc-ci-token` and the token as password. */
  http_url_to_repo: string;
  web_url: string;
}

/** Presents the job whose token was shown; `baseUrl` is the address of this instance. */
export function presentJob(
  credential: JobCredential,
  project: ProjectRow,
  baseUrl: string,
): JobResponse {
  const webUrl = `${baseUrl}/${fullPathOf(project)}`;
  return {
    id: credential.tokenId,
    project: {
      id: project.id,
      name: project.name,
      path: project.path,
      path_with_namespace: fullPathOf(project),
      http_url_to_repo: `${webUrl}.git`,
      web_url: webUrl,
    },
    // Requests of users in any other state are refused before.
    user: presentUserBasic({ ...credential.user, state: 'active' }, baseUrl),
    expires_at: credential.expiresAt?.toISOString() ?? null,
  };
}
