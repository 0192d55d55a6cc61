import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource, Repository } from 'typeorm';
import { avatarUrl } from '../../core/avatars/avatar.js';
import { Sql } from '../../core/sql/sql.service.js';
import { ACTIVE_MEMBERSHIP } from '../../identity/members/member-source.js';
import { ROLES } from '../../identity/members/roles.js';
import { authorizedNamespacesSql } from '../../identity/members/sql/access.js';
import { User } from '../../identity/users/user.entity.js';

/** User data for claims. */
interface ClaimedPerson {
  id: number;
  username: string;
  name: string;
  email: string;
  confirmed: boolean;
  publicEmail: string;
  /** True if the public email address is confirmed. */
  publicEmailConfirmed: boolean;
  websiteUrl: string;
  /** Digest of the avatar's images; null without one. */
  avatar: string | null;
  /** Groups of which the person is a member directly, with the role there. */
  direct: { path: string; level: number }[];
}

/** The same with the paths of all groups: subgroups of direct ones, too. */
interface ClaimedMember extends ClaimedPerson {
  groups: string[];
}

const PERSON = `
  SELECT u.id, u.username, u.name, u.email, u.confirmed_at IS NOT NULL AS confirmed,
    u.public_email AS "publicEmail", u.website_url AS "websiteUrl", u.avatar,
    (lower(u.public_email) = lower(u.email) AND u.confirmed_at IS NOT NULL)
      OR EXISTS (SELECT FROM user_emails e WHERE e.user_id = u.id
        AND e.confirmed_at IS NOT NULL AND lower(e.email) = lower(u.public_email))
      AS "publicEmailConfirmed",
    (SELECT coalesce(jsonb_agg(jsonb_build_object('path', n.full_path, 'level', m.access_level)
        ORDER BY n.full_path), '[]')
      FROM members m JOIN namespaces n ON n.id = m.namespace_id
      WHERE m.user_id = u.id AND m.access_level >= ${ROLES.guest} AND ${ACTIVE_MEMBERSHIP}) AS direct`;

const FROM = 'FROM users u WHERE u.id = $1';

const GROUPS = `ARRAY(SELECT n.full_path FROM namespaces n
    WHERE n.id IN (${authorizedNamespacesSql('$1', String(ROLES.guest))}) ORDER BY n.full_path)`;

/** Reads the claims of a user, each kind in one statement. */
@Injectable()
export class ClaimsRepository extends Repository<User> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
  ) {
    super(User, dataSource.manager);
  }

  /** Returns the claims of id_tokens, or null for a deleted user. */
  findPerson(userId: number): Promise<ClaimedPerson | null> {
    return this.queries.row<ClaimedPerson>(`${PERSON} ${FROM}`, [userId]);
  }

  /** Returns the claims of the userinfo endpoint, or null for a deleted user. */
  findMember(userId: number): Promise<ClaimedMember | null> {
    return this.queries.row<ClaimedMember>(`${PERSON}, ${GROUPS} AS groups ${FROM}`, [userId]);
  }
}

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
