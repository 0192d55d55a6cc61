import { Injectable } from '@nestjs/common';
import {
  Check,
  Column,
  DataSource,
  Entity,
  ForeignKey,
  Index,
  PrimaryGeneratedColumn,
  Repository,
} from 'typeorm';
import { Sql } from '../sql/sql.service.js';

/** Filter of a project's list that a user saved under a name. */
@Entity('saved_views')
@Index('uq_saved_views_name', ['userId', 'projectId', 'list', 'name'], { unique: true })
@Index('ix_saved_views_project', ['projectId'])
@Check('ck_saved_views_name', `char_length("name") BETWEEN 1 AND 50`)
@Check('ck_saved_views_query', `char_length("query") <= 2000`)
export class SavedView {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    primaryKeyConstraintName: 'pk_saved_views',
  })
  id: number;

  @ForeignKey('User', { name: 'fk_saved_views_user', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'user_id' })
  userId: number;

  @ForeignKey('Project', { name: 'fk_saved_views_project', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'project_id' })
  projectId: number;

  /** Last part of the list's path: SAVED_LISTS */
  @Column({ type: 'text', name: 'list' })
  list: string;

  @Column({ type: 'text', name: 'name' })
  name: string;

  /** Of the list's address, without `?`. */
  @Column({ type: 'text', name: 'query' })
  query: string;

  @Column({ type: 'timestamptz', precision: 3, name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}

/** Lists of a project whose filters can be saved: the last part of their paths. */
export const SAVED_LISTS = [
  'issues',
  'incidents',
  'merge_requests',
  'alert_management',
  'error_tracking',
] as const;

/** Views of a user per list of a project. */
export const MOST_VIEWS = 20;
export const MAX_NAME_LENGTH = 50;
export const MAX_QUERY_LENGTH = 2_000;

/** A list of a project, as one user sees it. */
interface ViewedList {
  userId: number;
  projectId: number;
  list: string;
}

const LIST_SQL = `
  SELECT id, name, query FROM saved_views
  WHERE user_id = $1 AND project_id = $2 AND list = $3 ORDER BY name`;

const PUT_SQL = `
  INSERT INTO saved_views (user_id, project_id, list, name, query)
  SELECT $1::bigint, $2::bigint, $3::text, $4::text, $5::text
  WHERE (SELECT count(*) FROM saved_views
    WHERE user_id = $1 AND project_id = $2 AND list = $3 AND name <> $4) < ${MOST_VIEWS}
  ON CONFLICT (user_id, project_id, list, name) DO UPDATE SET query = excluded.query
  RETURNING id`;

const RENAME_SQL = `
  UPDATE saved_views v SET name = $4 WHERE id = $1 AND user_id = $2 AND project_id = $3
    AND NOT EXISTS (SELECT FROM saved_views o WHERE o.user_id = v.user_id
      AND o.project_id = v.project_id AND o.list = v.list AND o.name = $4 AND o.id <> v.id)
  RETURNING id`;

/** Owns every statement about saved views. */
@Injectable()
export class SavedViewsRepository extends Repository<SavedView> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
  ) {
    super(SavedView, dataSource.manager);
  }

  /** Returns the user's views of the list by name. */
  listOf({ userId, projectId, list }: ViewedList): Promise<SavedView[]> {
    return this.queries.rows<SavedView>(LIST_SQL, [userId, projectId, list]);
  }

  /** Saves a view, or replaces the one of this name; false if the list has the most views. */
  async put(where: ViewedList, { name, query }: { name: string; query: string }): Promise<boolean> {
    const { userId, projectId, list } = where;
    const values = [userId, projectId, list, name, query];
    // One at a time per user, so that the number stays bounded.
    const rows = await this.queries.transaction((run) => run(PUT_SQL, values), { lock: userId });
    return rows.length > 0;
  }

  /** Renames a view of the user; false if the name is taken or the view is gone. */
  async rename(
    { id, userId, projectId }: { id: number; userId: number; projectId: number },
    name: string,
  ): Promise<boolean> {
    const rows = await this.queries.rows(RENAME_SQL, [id, userId, projectId, name]);
    return rows.length > 0;
  }
}
