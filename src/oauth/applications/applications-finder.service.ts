import { Injectable } from '@nestjs/common';
import { NotFoundError } from '../../core/errors.js';
import type { Page } from '../../core/pagination/page.js';
import type { Paging } from '../../core/pagination/paging.decorator.js';
import { Sql } from '../../core/sql/sql.service.js';
import type { ApplicationDetails } from './application-details.js';

const COLUMNS = `
  a.id, a.uid, a.name, a.redirect_uris AS "redirectUris", a.scopes, a.confidential, a.trusted,
  a.owner_id AS "ownerId", u.name AS "ownerName", u.username AS "ownerUsername",
  a.created_at AS "createdAt"`;
const FROM = 'oauth_applications a';
const OWNER = 'LEFT JOIN users u ON u.id = a.owner_id';

/** Reads applications. `ownerId` null stands for those of the whole instance. */
@Injectable()
export class ApplicationsFinder {
  constructor(private readonly sql: Sql) {}

  /** The application with this client_id, or null. */
  findByUid(uid: string): Promise<ApplicationDetails | null> {
    return this.sql.row(`SELECT ${COLUMNS} FROM ${FROM} ${OWNER} WHERE a.uid = $1`, [uid]);
  }

  /** The application with this row id, or null. */
  findById(id: number): Promise<ApplicationDetails | null> {
    return this.sql.row(`SELECT ${COLUMNS} FROM ${FROM} ${OWNER} WHERE a.id = $1`, [id]);
  }

  /** The owner's application; throws 404 for those of others. */
  async find(id: number, ownerId: number | null): Promise<ApplicationDetails> {
    const application = await this.findById(id);
    if (application === null || application.ownerId !== ownerId) {
      throw new NotFoundError('Application');
    }
    return application;
  }

  /** The owner's applications, the newest first. */
  list(ownerId: number | null, paging: Paging): Promise<Page<ApplicationDetails>> {
    return this.sql.page<ApplicationDetails>(
      {
        key: 'a.id',
        select: COLUMNS,
        from: FROM,
        joins: OWNER,
        where: ownerId === null ? 'a.owner_id IS NULL' : 'a.owner_id = $1',
        orderBy: 'a.id DESC',
        values: ownerId === null ? [] : [ownerId],
      },
      paging,
    );
  }
}
