/** Scopes with their descriptions, which users see when they choose scopes. */
export const SCOPES = {
  api: 'Read and write everything you can access through the API and Git',
  read_api: 'Read everything you can access through the API',
  read_user: 'Read your profile',
  self_rotate: 'Rotate this token',
  read_repository: 'Read repositories over Git and the files API',
  write_repository: 'Read and write repositories over Git',
  sudo: 'Act as any user (administrators only)',
  admin_mode: 'Use administrator rights through the API',
  openid: 'Sign you in with OpenID Connect',
  profile: 'Read your name, username and avatar with OpenID Connect',
  email: 'Read your primary email with OpenID Connect',
} as const;

export type Scope = keyof typeof SCOPES;

/** Scopes that a personal access token can have. */
export const PERSONAL_TOKEN_SCOPES: readonly Scope[] = [
  'api',
  'read_api',
  'read_user',
  'self_rotate',
  'read_repository',
  'write_repository',
  'sudo',
  'admin_mode',
];

/** Scopes that a project or group access token can have. */
export const RESOURCE_TOKEN_SCOPES: readonly Scope[] = [
  'api',
  'read_api',
  'self_rotate',
  'read_repository',
  'write_repository',
];

/**
 * Scopes that an application can have. It cannot have `self_rotate`, which applies to tokens
 * without a refresh token.
 */
export const APPLICATION_SCOPES: readonly Scope[] = (Object.keys(SCOPES) as Scope[]).filter(
  (scope) => scope !== 'self_rotate',
);

/** Scopes that only an administrator's token may have. */
export const ADMIN_SCOPES: readonly Scope[] = ['sudo', 'admin_mode'];

/**
 * All scopes that open an endpoint: its own, then `api`, then for reading `read_api`
 * (API doc, Scopes). Errors list them in this order.
 */
export function acceptedScopes(own: readonly Scope[], isRead: boolean): Scope[] {
  const accepted: Scope[] = [...own];
  for (const scope of isRead ? (['api', 'read_api'] as const) : (['api'] as const)) {
    if (!accepted.includes(scope)) accepted.push(scope);
  }
  return accepted;
}
