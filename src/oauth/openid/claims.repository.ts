import { Injectable } from '@nestjs/common';
import { DataSource, Repository } from 'typeorm';
import { Sql } from '../../core/sql/sql.service.js';
import { ACTIVE_MEMBERSHIP } from '../../identity/members/member-source.js';
import { ROLES } from '../../identity/members/roles.js';
import { authorizedNamespacesSql } from '../../identity/members/sql/access.js';
import { User } from '../../identity/users/user.entity.js';

/** User data for claims. */
export interface ClaimedPerson {
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
export interface ClaimedMember extends ClaimedPerson {
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
