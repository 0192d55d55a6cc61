/** User behind a request, with the attributes that guards and presenters need. */
export interface Viewer {
  id: number;
  username: string;
  name: string;
  email: string;
  /** Digest of the avatar's images; null without one. */
  avatar: string | null;
  admin: boolean;
  external: boolean;
  /** `active`, `blocked`, `deactivated`, `banned` or `pending`. */
  state: string;
  /** `human`, `project_bot` or `internal`. */
  userType: string;
  confirmed: boolean;
}

/** A known credential with its user; its state is still to be judged. */
export interface Credential {
  tokenId: number;
  /** `personal`, `impersonation`, `project`, `group`, `job` or `oauth`. */
  kind: string;
  scopes: string[];
  expiresAt: Date | null;
  revokedAt: Date | null;
  /** The project of a project or job token. */
  projectId: number | null;
  /** Client id of the application of an OAuth token; null when it was issued without one. */
  applicationUid: string | null;
  createdAt: Date;
  user: Viewer;
}
