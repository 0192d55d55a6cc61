import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';

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
