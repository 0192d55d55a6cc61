import { Injectable } from '@nestjs/common';
import { Sql } from '../../core/sql/sql.service.js';
import { authorizedNamespacesSql } from '../../members/authorized-sql.js';
import { ACTIVE_MEMBERSHIP } from '../../members/member-source.js';
import { ROLES } from '../../members/roles.js';

/** What claims tell of a person. */
export interface ClaimedPerson {
  id: number;
  username: string;
  name: string;
  email: string;
  confirmed: boolean;
  publicEmail: string;
  /** Whether the person has proven to read mail at the public address. */
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

/** Reads what claims tell, each kind in one statement. */
@Injectable()
export class ClaimsReader {
  constructor(private readonly sql: Sql) {}

  /** For id_tokens; null for a user that is gone. */
  person(userId: number): Promise<ClaimedPerson | null> {
    return this.sql.row<ClaimedPerson>(`${PERSON} ${FROM}`, [userId]);
  }

  /** For the userinfo endpoint; null for a user that is gone. */
  member(userId: number): Promise<ClaimedMember | null> {
    return this.sql.row<ClaimedMember>(`${PERSON}, ${GROUPS} AS groups ${FROM}`, [userId]);
  }
}
