import { acceptedScopes, type Scope } from '../../src/core/access/scopes.js';
import type { Role } from '../../src/identity/members/roles.js';
import type { VisibilityName } from '../../src/identity/members/visibility.js';
import type { Operation } from './operation.js';
import type { ActorName, CredentialName } from './world.js';

const ORDER: readonly Role[] = ['guest', 'planner', 'reporter', 'developer', 'maintainer', 'owner'];

/** Role of each actor in every container; undefined for those without a membership. */
const MEMBERSHIP: Partial<Record<ActorName, Role>> = {
  guest: 'guest',
  reporter: 'reporter',
  developer: 'developer',
  maintainer: 'maintainer',
  owner: 'owner',
  bot: 'developer',
};

const isReading = ({ route }: Operation): boolean => route.startsWith('GET ');

/** The whole rule of access in one place: the status that a cell of the matrix must have. */
export function expectedStatus(
  operation: Operation,
  cell: { actor: ActorName; visibility: VisibilityName; credential: CredentialName },
): number {
  const { actor, visibility, credential } = cell;
  if (operation.blind === true) return operation.allowed;
  if (['expired', 'revoked', 'job'].includes(credential)) return 401;
  if (credential === 'basic' || isIgnoredSession(operation, cell)) {
    return statusFor(operation, 'anonymous', visibility);
  }
  const allowed =
    operation.by?.[credential === 'cookie' ? 'session' : credential] ?? operation.allowed;
  return statusFor({ ...operation, allowed }, actor, visibility);
}

/**
 * Returns true if no one is signed in: inactive users cannot sign in, and a cookie alone changes
 * nothing.
 */
function isIgnoredSession(
  operation: Operation,
  { actor, credential }: { actor: ActorName; credential: CredentialName },
): boolean {
  if (credential === 'cookie' && !isReading(operation)) return true;
  const isSession = credential === 'session' || credential === 'cookie';
  return isSession && (actor === 'blocked' || actor === 'deactivated');
}

/** Status for a token of the actor that has only these scopes. */
export function statusWithScopes(
  operation: Operation,
  cell: { actor: ActorName; visibility: VisibilityName; scopes: readonly Scope[] },
): number {
  const accepted = acceptedScopes(operation.scopes ?? [], isReading(operation));
  if (operation.blind === true) return operation.allowed;
  if (!accepted.some((scope) => cell.scopes.includes(scope))) return 403;
  return statusFor(operation, cell.actor, cell.visibility);
}

function statusFor(operation: Operation, actor: ActorName, visibility: VisibilityName): number {
  if (actor === 'blocked' || actor === 'deactivated') return 403;
  const { who, allowed } = operation;
  if (actor === 'anonymous') return anonymousStatus(operation, visibility);
  if (who === 'anyone' || who === 'signed_in' || actor === 'admin') return allowed;
  if (who === 'admin') return operation.denied ?? 403;
  const role = MEMBERSHIP[actor];
  const isOpen = visibility === 'public' || (visibility === 'internal' && actor !== 'external');
  if (role === undefined && !isOpen) return 404;
  const isMember = role !== undefined && ORDER.indexOf(role) >= ORDER.indexOf(who.role);
  return isMember || (who.open !== undefined && isOpen) ? allowed : (operation.denied ?? 403);
}

function anonymousStatus(operation: Operation, visibility: VisibilityName): number {
  const { who, allowed } = operation;
  if (operation.anonymous !== undefined) return operation.anonymous;
  if (who === 'anyone') return allowed;
  if (who === 'signed_in' || who === 'admin' || !isReading(operation)) return 401;
  if (visibility !== 'public') return 404;
  return who.open === true ? allowed : 401;
}
