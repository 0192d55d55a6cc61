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

/** Formats that wikis have, by the endings of their files (reference, Events, `wiki_page`). */
const FORMATS: Readonly<Record<string, string>> = {
  md: 'markdown',
  mkd: 'markdown',
  mkdn: 'markdown',
  markdown: 'markdown',
  rdoc: 'rdoc',
  org: 'org',
  adoc: 'asciidoc',
  ad: 'asciidoc',
  asciidoc: 'asciidoc',
  txt: 'plaintext',
  textile: 'textile',
  creole: 'creole',
  wiki: 'mediawiki',
  mediawiki: 'mediawiki',
  rst: 'rst',
};

/** Title and slug of a wiki page. */
interface WikiPageNames {
  format: string;
  /** Path of its file, without the ending. */
  slug: string;
  /** Last part of the slug, with spaces for dashes. */
  title: string;
}

/** Returns the names of the wiki page at a repository path; null if the file is no page. */
export function wikiPageNames(path: string): WikiPageNames | null {
  const match = /^(?<slug>(?:.*\/)?(?<name>[^/]+))\.(?<ending>[^./]+)$/su.exec(path);
  const { slug = '', name = '', ending = '' } = match?.groups ?? {};
  const format = Object.entries(FORMATS).find(([known]) => known === ending.toLowerCase())?.[1];
  if (format === undefined) return null;
  return { format, slug, title: name.replaceAll('-', ' ') };
}

/** Owns every statement about wiki pages. */
@Injectable()
export class WikiPagesRepository extends Repository<WikiPage> {
  constructor(dataSource: DataSource) {
    super(WikiPage, dataSource.manager);
  }

  /**
   * Returns the ids of pages by path and inserts new pages; in one order, so that concurrent pushes
   * do not block each other.
   */
  async ensure(
    manager: EntityManager,
    projectId: number,
    paths: readonly string[],
  ): Promise<Map<string, number>> {
    const rows = await manager.query<{ id: number; path: string }[]>(
      `INSERT INTO wiki_pages (project_id, path)
     SELECT $1, path FROM unnest($2::text[]) AS p (path) ORDER BY path
     ON CONFLICT (project_id, path) DO UPDATE SET path = excluded.path RETURNING id, path`,
      [projectId, paths],
    );
    return new Map(rows.map(({ id, path }) => [path, id]));
  }
}
