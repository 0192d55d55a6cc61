import { Injectable } from '@nestjs/common';
import { DataSource, Repository } from 'typeorm';
import type { Page } from '../../core/pagination/page.js';
import type { Paging } from '../../core/pagination/paging.decorator.js';
import { Sql } from '../../core/sql/sql.service.js';
import {
  LISTED_NOTE_COLUMNS,
  NOTE_COLUMNS,
  type NoteRow,
} from '../../workspace/notes/notes.repository.js';
import { Note } from '../../workspace/notes/note.entity.js';
import type { CommitLine } from '../../workspace/notes/notes.service.js';

/** A comment with its commit and line; `path` and the rest are null for the commit as a whole. */
export interface CommitCommentRow extends NoteRow {
  sha: string;
  path: string | null;
  line: number | null;
  lineType: 'new' | 'old' | null;
}

const LINE_COLUMNS = `t.commit_sha AS sha, t.commit_path AS path, t.commit_line AS line,
  t.commit_line_type AS "lineType"`;
const AUTHOR = 'JOIN users author ON author.id = t.author_id';

const LINES_SQL = `
  SELECT id, commit_path AS path, commit_line AS line, commit_line_type AS type
  FROM notes WHERE id = ANY($1) AND commit_line IS NOT NULL`;

/** Owns the statements about comments on commits with their lines. */
@Injectable()
export class CommitCommentsRepository extends Repository<Note> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
  ) {
    super(Note, dataSource.manager);
  }

  /** Returns one page of a commit's comments that are not internal, oldest first. */
  list(projectId: number, sha: string, paging: Paging): Promise<Page<CommitCommentRow>> {
    return this.queries.page<CommitCommentRow>(
      {
        key: 't.id',
        select: `${LISTED_NOTE_COLUMNS}, ${LINE_COLUMNS}`,
        from: 'notes t',
        joins: AUTHOR,
        where: 't.commit_project_id = $1 AND t.commit_sha = $2 AND NOT t.internal',
        orderBy: 't.created_at, t.id',
        values: [projectId, sha],
      },
      paging,
    );
  }

  /** Returns a comment, or null when it is deleted. */
  findById(id: number): Promise<CommitCommentRow | null> {
    const text = `SELECT ${NOTE_COLUMNS}, ${LINE_COLUMNS} FROM notes t ${AUTHOR} WHERE t.id = $1`;
    return this.queries.row<CommitCommentRow>(text, [id]);
  }

  /** Returns the lines that notes are about, by the ID of the note. */
  async findLines(ids: readonly number[]): Promise<Map<number, CommitLine>> {
    const rows = await this.queries.rows<CommitLine & { id: number }>(LINES_SQL, [ids]);
    return new Map(rows.map(({ id, ...line }) => [id, line]));
  }
}
