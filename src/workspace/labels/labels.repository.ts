import { Injectable } from '@nestjs/common';
import { DataSource, Repository, type EntityManager } from 'typeorm';
import type { Viewer } from '../../core/access/auth-context.js';
import { NotFoundError } from '../../core/errors.js';
import type { Page } from '../../core/pagination/page.js';
import type { Paging } from '../../core/pagination/paging.decorator.js';
import { Conditions, containsPattern } from '../../core/sql/conditions.js';
import type { NamedCount } from '../../core/sql/counts.js';
import { Sql } from '../../core/sql/sql.service.js';
import type { ListGroupLabelsDto } from './label.dto.js';
import { Label } from './label.entity.js';
import type { FindLabels } from './label.response.js';
import {
  countsSql,
  KEEP_SUBSCRIBERS_SQL,
  LOCK_BEARERS_SQL,
  ownersSql,
  PROMOTE_SQL,
  REMOVE_PROMOTED_SQL,
  RENAME_SQL,
  SUBSCRIBE_SQL,
  UNSUBSCRIBE_SQL,
  type LabelOwner,
} from './sql/labels.js';

export type { LabelOwner } from './sql/labels.js';

const COLUMNS = `l.id, l.name, l.description, l.color, l.priority, l.project_id AS "projectId",
  l.group_id AS "groupId", l.updated_at AS "updatedAt"`;

/**
 * The labels of issues and merge requests by name: of the project, else of the nearest group above.
 */
const NAMED_SQL = `
  SELECT DISTINCT ON (p.id, l.name) p.id AS "inProjectId", ${COLUMNS}
  FROM projects p JOIN namespaces n ON n.id = p.namespace_id
  JOIN labels l ON l.project_id = p.id OR l.group_id = ANY(n.traversal_ids)
  WHERE p.id = ANY($1::bigint[]) AND l.name = ANY($2::text[])
  ORDER BY p.id, l.name, l.project_id, array_position(n.traversal_ids, l.group_id) DESC`;

/** A label as it is read. */
export type LabelRow = Pick<
  Label,
  'id' | 'name' | 'description' | 'color' | 'priority' | 'projectId' | 'groupId' | 'updatedAt'
>;

type NamedRow = Pick<LabelRow, 'id' | 'name'>;

/** Name and color of a label, for chips. */
export type NamedLabel = Pick<LabelRow, 'id' | 'name' | 'color' | 'description'>;

/** Issues and merge requests with a label. */
export interface LabelCounts {
  openIssues: number;
  closedIssues: number;
  openMergeRequests: number;
}

/** Owns every statement about labels. */
@Injectable()
export class LabelsRepository extends Repository<Label> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
  ) {
    super(Label, dataSource.manager);
  }

  /** Returns one page by name, of what can be used in the project or group unless filtered. */
  list(
    viewer: Viewer | null,
    owner: LabelOwner,
    { filters, paging }: { filters: ListGroupLabelsDto; paging: Paging },
  ): Promise<Page<LabelRow>> {
    const where = new Conditions();
    where.and(ownersSql(where, owner, { viewer, filters }));
    const { search } = filters;
    if (search) {
      const pattern = where.value(containsPattern(search));
      where.and(`l.name ILIKE ${pattern} OR l.description ILIKE ${pattern}`);
    }
    return this.queries.page<LabelRow>(
      {
        select: COLUMNS,
        from: 'labels l',
        where: where.toString(),
        orderBy: 'l.name, l.id',
        values: where.values,
      },
      paging,
    );
  }

  /** Finds a label that can be used in the project or group, by ID or else by name. */
  findUsable(owner: LabelOwner, idOrName: string): Promise<LabelRow> {
    return this.findLabel(owner, idOrName, {});
  }

  /** Finds a label of the project or group itself, by ID or else by name. */
  findOwn(owner: LabelOwner, idOrName: string): Promise<LabelRow> {
    return this.findLabel(owner, idOrName, { include_ancestor_groups: false });
  }

  private async findLabel(
    owner: LabelOwner,
    idOrName: string,
    filters: ListGroupLabelsDto,
  ): Promise<LabelRow> {
    const where = new Conditions();
    where.and(ownersSql(where, owner, { filters }));
    const name = where.value(idOrName);
    const id = /^\d{1,15}$/.test(idOrName) ? where.value(Number(idOrName)) : null;
    where.and(id === null ? `l.name = ${name}` : `l.name = ${name} OR l.id = ${id}`);
    const order = id === null ? 'l.project_id' : `l.id = ${id} DESC, l.project_id`;
    const row = await this.queries.row<LabelRow>(
      `SELECT ${COLUMNS} FROM labels l WHERE ${where.toString()} ORDER BY ${order} LIMIT 1`,
      where.values,
    );
    if (row === null) throw new NotFoundError('Label');
    return row;
  }

  /** Returns true if a label of that name can be used in the project or group, besides `exceptId`. */
  async isTaken(
    manager: EntityManager,
    owner: LabelOwner,
    { name, exceptId }: { name: string; exceptId: number | null },
  ): Promise<boolean> {
    const where = new Conditions();
    where.and(ownersSql(where, owner));
    where.and(`l.name = ${where.value(name)} AND l.id IS DISTINCT FROM ${where.value(exceptId)}`);
    const rows = await manager.query<unknown[]>(
      `SELECT FROM labels l WHERE ${where.toString()}`,
      where.values,
    );
    return rows.length > 0;
  }

  /** Returns the labels of the names in each project, by project and name. */
  async named(projectIds: readonly number[], names: readonly string[]): Promise<FindLabels> {
    if (names.length === 0) return () => [];
    const rows = await this.queries.rows<LabelRow & { inProjectId: number }>(NAMED_SQL, [
      [...new Set(projectIds)],
      [...new Set(names)],
    ]);
    const found = new Map(rows.map((row) => [`${row.inProjectId} ${row.name}`, row]));
    return (projectId, wanted) => wanted.flatMap((name) => found.get(`${projectId} ${name}`) ?? []);
  }

  /** The same for a page of issues or merge requests; null unless a request wants the details. */
  async detailsFor(
    { with_labels_details: isWanted }: { with_labels_details?: boolean | null },
    { items }: Page<{ projectId: number; labels: string[] }>,
  ): Promise<FindLabels | null> {
    if (isWanted !== true) return null;
    return this.named(
      items.map(({ projectId }) => projectId),
      items.flatMap(({ labels }) => labels),
    );
  }

  /** Returns the labels of the names in a project, for chips. */
  async byName(
    projectId: number,
    names: readonly string[],
  ): Promise<ReadonlyMap<string, NamedLabel>> {
    const labelsOf = await this.named([projectId], names);
    return new Map(labelsOf(projectId, [...new Set(names)]).map((label) => [label.name, label]));
  }

  /**
   * Counts issues and merge requests with each of the labels in the project or group, as the viewer
   * sees them; as `Sql.counts` does for labels with more than 10,000 together.
   */
  async countsOf(
    viewer: Viewer | null,
    owner: LabelOwner,
    names: readonly string[],
  ): Promise<(name: string) => LabelCounts> {
    const where = new Conditions();
    const text = countsSql(where, viewer, owner);
    const distinct = [...new Set(names)];
    const rows = await this.queries.counts<LabelCounts & NamedCount>(text, where.values, distinct);
    const counts = new Map(rows.map((row) => [row.name, row]));
    return (name) => counts.get(name) ?? { openIssues: 0, closedIssues: 0, openMergeRequests: 0 };
  }

  /** Returns those of the labels that the viewer is subscribed to, by ID. */
  async subscribedTo(viewer: Viewer | null, labels: readonly NamedRow[]): Promise<Set<number>> {
    if (viewer === null || labels.length === 0) return new Set();
    const rows = await this.queries.rows<{ id: number }>(
      `SELECT label_id AS id FROM label_subscriptions
       WHERE user_id = $1 AND label_id = ANY($2::bigint[])`,
      [viewer.id, labels.map(({ id }) => id)],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** Subscribes a user to a label or ends it; returns false if nothing changes. */
  async setSubscribed(userId: number, labelId: number, isWanted: boolean): Promise<boolean> {
    const rows = await this.queries.rows(isWanted ? SUBSCRIBE_SQL : UNSUBSCRIBE_SQL, [
      userId,
      labelId,
    ]);
    return rows.length > 0;
  }

  /**
   * Locks what bears the label, in the order of IDs: before its name, as changes of issues and merge
   * requests do, so that none waits for the other.
   */
  async lockBearers(manager: EntityManager, { id, name }: NamedRow): Promise<void> {
    for (const table of ['issues', 'merge_requests']) {
      await manager.query(LOCK_BEARERS_SQL(table), [id, name]);
    }
  }

  /** Renames a label on issues and merge requests, or takes it from them with null. */
  async rename(
    manager: EntityManager,
    { id, name }: NamedRow,
    newName: string | null,
  ): Promise<void> {
    for (const table of ['issues', 'merge_requests']) {
      await manager.query(RENAME_SQL(table), [id, name, newName]);
    }
  }

  /** Makes a project's label one of the group; returns its ID. */
  async promote(manager: EntityManager, id: number, groupId: number): Promise<number> {
    const [row] = await manager.query<{ id: number }[]>(PROMOTE_SQL, [id, groupId]);
    if (row === undefined) throw new NotFoundError('Label');
    await manager.query(KEEP_SUBSCRIBERS_SQL, [groupId, row.id]);
    await manager.query(REMOVE_PROMOTED_SQL, [groupId, row.id]);
    return row.id;
  }
}
