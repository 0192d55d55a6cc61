import { createHmac } from 'node:crypto';
import { avatarUrl } from '../../core/avatars/avatar.js';
import { ROLES } from '../../identity/members/roles.js';
import type { ClaimedMember, ClaimedPerson } from './claims.repository.js';

/** Roles whose groups the userinfo endpoint lists one by one. */
export const CLAIMED_ROLES = ['owner', 'maintainer', 'developer'] as const;
type ClaimedRole = (typeof CLAIMED_ROLES)[number];

/** Claims that identify the user, in every set of claims. */
interface SubjectClaims {
  /**
   * ID of the user.
   * @example "42"
   */
  sub: string;
  /** Second identifier of the user, the same for every client. */
  sub_legacy: string;
  /**
   * Primary email with the scope `email`, else the public one; absent without one.
   * @example "mallory@example.com"
   */
  email?: string;
  /** True if the email address is confirmed. */
  email_verified?: boolean;
}

/** Claims of an id_token beside those about the token itself. */
interface IdentityClaims extends SubjectClaims {
  groups_direct: string[];
}

/** Response of `/oauth/userinfo`; empty claims are left out (API doc, userinfo). */
export interface UserinfoResponse extends SubjectClaims {
  /** @example "Mallory Weaver" */
  name: string;
  /** @example "mallory" */
  nickname: string;
  /** @example "mallory" */
  preferred_username: string;
  /** @example "https://mallory.example.com" */
  website?: string;
  /**
   * URL of the avatar; absent without one.
   * @format uri
   * @example "https://guildhall.example.com/uploads/-/system/user/avatar/42/0cc175b9c0f1b6a831c399e269772661.webp"
   */
  picture?: string;
  /**
   * URL of the user's profile.
   * @example "https://guildhall.example.com/mallory"
   */
  profile: string;
  /**
   * Paths of the groups that the user belongs to, directly or by inheritance.
   * @example ["crafts", "crafts/weavers"]
   */
  groups: string[];
  /** Paths of the groups in which the user has that role directly. */
  [claim: `${string}/claims/groups/${ClaimedRole}`]: string[];
}

/** Instance data for claims. */
interface ClaimsSource {
  baseUrl: string;
  secretKey: string;
}

/** Claims for an id_token. */
export function identityClaims(
  person: ClaimedPerson,
  scopes: readonly string[],
  source: ClaimsSource,
): IdentityClaims {
  return {
    ...subjectClaims(person, scopes, source),
    groups_direct: person.direct.map(({ path }) => path),
  };
}

/** Claims for the userinfo endpoint. */
export function presentUserinfo(
  member: ClaimedMember,
  scopes: readonly string[],
  source: ClaimsSource,
): UserinfoResponse {
  const { username, name, websiteUrl, groups } = member;
  const picture = avatarUrl('user', member, source.baseUrl);
  return {
    ...subjectClaims(member, scopes, source),
    name,
    nickname: username,
    preferred_username: username,
    ...(websiteUrl !== '' && { website: websiteUrl }),
    profile: `${source.baseUrl}/${username}`,
    ...(picture !== null && { picture }),
    groups,
    ...roleClaims(member, source.baseUrl),
  };
}

/** Name of the claim with the groups in which the user has the role: a URL, as it is our own. */
export function roleClaim(
  role: ClaimedRole,
  baseUrl: string,
): `${string}/claims/groups/${ClaimedRole}` {
  return `${baseUrl}/claims/groups/${role}`;
}

function subjectClaims(
  person: ClaimedPerson,
  scopes: readonly string[],
  { secretKey }: ClaimsSource,
): SubjectClaims {
  const sub = String(person.id);
  const legacy = createHmac('sha256', secretKey).update(`subject ${sub}`).digest('hex');
  return { sub, sub_legacy: legacy, ...emailClaims(person, scopes) };
}

function emailClaims(
  { email, confirmed, publicEmail, publicEmailConfirmed }: ClaimedPerson,
  scopes: readonly string[],
): Pick<SubjectClaims, 'email' | 'email_verified'> {
  if (scopes.includes('email')) return { email, email_verified: confirmed };
  if (publicEmail === '') return {};
  return { email: publicEmail, email_verified: publicEmailConfirmed };
}

function roleClaims({ direct }: ClaimedPerson, baseUrl: string): Record<string, string[]> {
  const claims = CLAIMED_ROLES.map((role) => {
    const groups = direct.filter(({ level }) => level === ROLES[role]);
    return [roleClaim(role, baseUrl), groups.map(({ path }) => path)] as const;
  });
  return Object.fromEntries(claims.filter(([, paths]) => paths.length > 0));
}
