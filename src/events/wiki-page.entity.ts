import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { Project } from '../workspace/projects/project.entity.js';

/** A page of a project's wiki as events name it; what is written on it is in the wiki's repository. */
@Entity('wiki_pages')
@Index('uq_wiki_pages_project_path', ['projectId', 'path'], { unique: true })
export class WikiPage {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', primaryKeyConstraintName: 'pk_wiki_pages' })
  id: number;

  @ForeignKey(() => Project, { name: 'fk_wiki_pages_project', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'project_id' })
  projectId: number;

  /** Of its file in the repository. */
  @Column({ type: 'text', name: 'path' })
  path: string;
}
