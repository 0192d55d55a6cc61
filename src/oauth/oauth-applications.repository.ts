import { Injectable } from '@nestjs/common';
import {
  Column,
  DataSource,
  Entity,
  ForeignKey,
  Index,
  PrimaryGeneratedColumn,
  Repository,
  type EntityManager,
} from 'typeorm';
import type { Scope } from '../core/access/scopes.js';
import { NotFoundError } from '../core/errors.js';
import type { Page } from '../core/pagination/page.js';
import type { Paging } from '../core/pagination/paging.decorator.js';
import { Sql } from '../core/sql/sql.service.js';
import { TimestampColumns } from '../core/sql/timestamp-columns.js';
import { User } from '../identity/users/user.entity.js';

/** An application that signs people in here (API doc, Application registration). */
@Entity('oauth_applications')
@Index('uq_oauth_applications_uid', ['uid'], { unique: true })
@Index('ix_oauth_applications_owner', ['ownerId', 'id'])
export class OAuthApplication extends TimestampColumns {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    primaryKeyConstraintName: 'pk_oauth_applications',
  })
  id: number;

  /** The client_id: 64 hexadecimal digits. */
  @Column({ type: 'text', name: 'uid' })
  uid: string;

  /** SHA-256 of the client_secret, which has 160 random bits. */
  @Column({ type: 'bytea', name: 'secret_digest' })
  secretDigest: Buffer;

  @Column({ type: 'text', name: 'name' })
  name: string;

  @Column({ type: 'text', array: true, name: 'redirect_uris' })
  redirectUris: string[];

  @Column({ type: 'text', array: true, name: 'scopes' })
  scopes: string[];

  /** True if it can keep its secret; others must use PKCE (RFC 6749 §2.1). */
  @Column({ type: 'boolean', name: 'confidential', default: true })
  confidential: boolean;

  /** Skips the consent screen; set by administrators only. */
  @Column({ type: 'boolean', name: 'trusted', default: false })
  trusted: boolean;

  /** null = an application of the whole instance. */
  @ForeignKey(() => User, { name: 'fk_oauth_applications_owner', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'owner_id', nullable: true })
  ownerId: number | null;
}

/** Attributes of an application for the protocol. */
export interface Client {
  id: number;
  /** The client_id. */
  uid: string;
  secretDigest: Buffer;
  name: string;
  redirectUris: string[];
  scopes: Scope[];
  confidential: boolean;
  trusted: boolean;
  /** null = an application of the whole instance. */
  ownerId: number | null;
}

/** An application that can act for the user. */
export interface AuthorizedApplication {
  id: number;
  name: string;
  /** When it got its newest token. */
  authorizedAt: Date;
  lastUsedAt: Date | null;
  scopes: string[];
}

/** An application as pages and responses show it, without its secret. */
export interface ApplicationDetails {
  id: number;
  uid: string;
  name: string;
  redirectUris: string[];
  scopes: Scope[];
  confidential: boolean;
  trusted: boolean;
  /** null = an application of the whole instance. */
  ownerId: number | null;
  ownerName: string | null;
  ownerUsername: string | null;
  createdAt: Date;
}

/** Use of an application. */
export interface ApplicationUsage {
  /** Users of its tokens that are not revoked. */
  users: number;
  /** True if it has more tokens than are counted. */
  isPartial: boolean;
  lastUsedAt: Date | null;
}

/** An application of a list. */
export type ListedApplication = ApplicationDetails & ApplicationUsage;

/** More than anyone has; revoking some shows the rest. */
const MAX_LISTED = 500;

const CLIENT_SQL = `
  SELECT id, uid, secret_digest AS "secretDigest", name, redirect_uris AS "redirectUris", scopes,
    confidential, trusted, owner_id AS "ownerId"
  FROM oauth_applications WHERE uid = $1`;

const COLUMNS = `
  a.id, a.uid, a.name, a.redirect_uris AS "redirectUris", a.scopes, a.confidential, a.trusted,
  a.owner_id AS "ownerId", u.name AS "ownerName", u.username AS "ownerUsername",
  a.created_at AS "createdAt"`;
const FROM = 'oauth_applications a';
const OWNER = 'LEFT JOIN users u ON u.id = a.owner_id';

/** Tokens that a page looks at for each application. */
const MAX_COUNTED = 500;
function usageSql(applicationId: string): string {
  return `
  SELECT count(DISTINCT t.user_id) FILTER (WHERE t.revoked_at IS NULL)::integer AS users,
    count(*) > ${MAX_COUNTED} AS "isPartial", max(t.last_used_at) AS "lastUsedAt"
  FROM (SELECT user_id, revoked_at, last_used_at FROM access_tokens
    WHERE application_id = ${applicationId} LIMIT ${MAX_COUNTED + 1}) t`;
}

const LIST_AUTHORIZED_SQL = `
  SELECT a.id, a.name, max(t.created_at) AS "authorizedAt", max(t.last_used_at) AS "lastUsedAt",
         array_agg(DISTINCT s.scope ORDER BY s.scope) AS scopes
  FROM access_tokens t
  JOIN oauth_applications a ON a.id = t.application_id
  CROSS JOIN LATERAL unnest(t.scopes) s(scope)
  WHERE t.user_id = $1 AND t.kind = 'oauth' AND t.revoked_at IS NULL
  GROUP BY a.id ORDER BY max(t.created_at) DESC, a.id LIMIT ${MAX_LISTED}`;

/** Owns every statement about applications; `ownerId` null stands for those of the instance. */
@Injectable()
export class OAuthApplicationsRepository extends Repository<OAuthApplication> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
  ) {
    super(OAuthApplication, dataSource.manager);
  }

  /** Returns the application with this client_id as the protocol needs it, or null. */
  findClient(uid: string): Promise<Client | null> {
    return this.queries.row<Client>(CLIENT_SQL, [uid]);
  }

  /** Returns the application with this client_id, or null. */
  findByUid(uid: string): Promise<ApplicationDetails | null> {
    return this.queries.row(`SELECT ${COLUMNS} FROM ${FROM} ${OWNER} WHERE a.uid = $1`, [uid]);
  }

  /** Returns the application with this id, or null. */
  findDetails(id: number): Promise<ApplicationDetails | null> {
    return this.queries.row(`SELECT ${COLUMNS} FROM ${FROM} ${OWNER} WHERE a.id = $1`, [id]);
  }

  /** Returns the owner's application; throws NotFoundError for those of others. */
  async findOwned(id: number, ownerId: number | null): Promise<ApplicationDetails> {
    const application = await this.findDetails(id);
    if (application === null || application.ownerId !== ownerId) {
      throw new NotFoundError('Application');
    }
    return application;
  }

  /** Returns the use of an application. */
  async findUsage(id: number): Promise<ApplicationUsage> {
    const usage = await this.queries.row<ApplicationUsage>(usageSql('$1'), [id]);
    return usage ?? { users: 0, isPartial: false, lastUsedAt: null };
  }

  /** Returns one page of the owner's applications, newest first. */
  list(ownerId: number | null, paging: Paging): Promise<Page<ListedApplication>> {
    return this.queries.page<ListedApplication>(
      {
        key: 'a.id',
        select: `${COLUMNS}, usage.*`,
        from: FROM,
        joins: `${OWNER} CROSS JOIN LATERAL (${usageSql('a.id')}) usage`,
        where: ownerId === null ? 'a.owner_id IS NULL' : 'a.owner_id = $1',
        orderBy: 'a.id DESC',
        values: ownerId === null ? [] : [ownerId],
      },
      paging,
    );
  }

  /** Returns the applications with tokens of the user, the newest token first. */
  listAuthorized(userId: number): Promise<AuthorizedApplication[]> {
    return this.queries.rows<AuthorizedApplication>(LIST_AUTHORIZED_SQL, [userId]);
  }

  /** Locks the owner's application until the transaction ends; throws NotFoundError. */
  async lock(
    manager: EntityManager,
    { id, ownerId }: { id: number; ownerId: number | null },
  ): Promise<OAuthApplication> {
    const application = await manager.findOne(OAuthApplication, {
      where: { id },
      lock: { mode: 'pessimistic_write' },
    });
    if (application === null || application.ownerId !== ownerId) {
      throw new NotFoundError('Application');
    }
    return application;
  }

  /** Returns the name of an application; empty without it. */
  async findName(manager: EntityManager, id: number): Promise<string> {
    const [application] = await manager.query<{ name: string }[]>(
      'SELECT name FROM oauth_applications WHERE id = $1',
      [id],
    );
    return application?.name ?? '';
  }
}
