import { Injectable } from '@nestjs/common';
import { DataSource, Repository } from 'typeorm';
import type { Viewer } from '../core/access/viewer.js';
import { NotFoundError } from '../core/errors.js';
import type { Page } from '../core/pagination/page.js';
import type { Paging } from '../core/pagination/paging.decorator.js';
import type { IdOrPath } from '../core/params/ids.js';
import { Conditions, containsPattern } from '../core/sql/conditions.js';
import { Sql } from '../core/sql/sql.service.js';
import { authorizedNamespacesSql } from '../members/sql/access.js';
import { ROLES } from '../members/roles.js';
import { VISIBILITY } from '../members/visibility.js';
import { Namespace } from '../users/namespace.entity.js';
import type { ListNamespacesDto } from './namespace.dto.js';
import type { NamespaceRow } from './namespace.presenter.js';

const SELECT = `n.id, n.name, n.path, n.kind, n.full_path AS "fullPath", n.parent_id AS "parentId",
  n.owner_id AS "ownerId", coalesce(g.avatar, u.avatar) AS avatar`;
const FROM = `namespaces n LEFT JOIN groups g ON g.id = n.id LEFT JOIN users u ON u.id = n.owner_id`;
const ALIVE = 'g.pending_delete IS NOT TRUE';

/** Owns the statements that show namespaces to a viewer; their tree belongs to NamespacesRepository. */
@Injectable()
export class VisibleNamespacesRepository extends Repository<Namespace> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
  ) {
    super(Namespace, dataSource.manager);
  }

  /** Returns one page of the viewer's own namespace and groups; of all for administrators. */
  list(filters: ListNamespacesDto, viewer: Viewer, paging: Paging): Promise<Page<NamespaceRow>> {
    const where = new Conditions();
    where.and(ALIVE);
    const level = filters.owned_only === true ? ROLES.owner : ROLES.guest;
    if (!viewer.admin || filters.owned_only === true) {
      const user = where.value(viewer.id);
      const groups = authorizedNamespacesSql(user, String(level));
      where.and(`n.owner_id = ${user} OR n.id IN (${groups})`);
    }
    if (filters.top_level_only === true) where.and('n.parent_id IS NULL');
    if (filters.search) {
      const pattern = where.value(containsPattern(filters.search));
      where.and(`n.name ILIKE ${pattern} OR n.full_path ILIKE ${pattern}`);
    }
    const query = { select: SELECT, from: FROM, where: String(where), values: where.values };
    return this.queries.page<NamespaceRow>({ ...query, orderBy: 'n.id' }, paging);
  }

  /** Throws NotFoundError also for another user's namespace and a group that is not visible. */
  async findVisible(wanted: IdOrPath, viewer: Viewer): Promise<NamespaceRow> {
    const where = new Conditions();
    where.and(ALIVE);
    if ('id' in wanted) where.and(`n.id = ${where.value(wanted.id)}`);
    if ('path' in wanted) where.and(`lower(n.full_path) = lower(${where.value(wanted.path)})`);
    if (!viewer.admin) {
      const user = where.value(viewer.id);
      const open = viewer.external ? VISIBILITY.public : VISIBILITY.internal;
      const own = authorizedNamespacesSql(user, String(ROLES.guest));
      where.and(`n.owner_id = ${user} OR g.visibility >= ${open} OR g.id IN (${own})`);
    }
    const text = `SELECT ${SELECT} FROM ${FROM} WHERE ${String(where)}`;
    const row = await this.queries.row<NamespaceRow>(text, where.values);
    if (row === null) throw new NotFoundError('Namespace');
    return row;
  }
}
