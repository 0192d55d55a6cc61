import { Injectable } from '@nestjs/common';
import { DataSource, Repository } from 'typeorm';
import { NotFoundError } from '../../core/errors.js';
import type { Page } from '../../core/pagination/page.js';
import type { Paging } from '../../core/pagination/paging.decorator.js';
import { Conditions } from '../../core/sql/conditions.js';
import { listedText } from '../../core/sql/list-query.js';
import { Sql } from '../../core/sql/sql.service.js';
import { userSql } from '../../identity/users/sql/user-list.js';
import type { UserBasics } from '../../identity/users/user.presenter.js';
import type { ListNotesDto } from './note.dto.js';
import { Note } from './note.entity.js';
import { NOTEABLE_COLUMNS, type Noteable } from './noteable.js';

/** A note with its author, read in one statement. */
export interface NoteRow {
  id: number;
  body: string;
  system: boolean;
  internal: boolean;
  createdAt: Date;
  updatedAt: Date;
  author: UserBasics;
}

const columns = (body: string): string => `
  t.id, ${body} AS body, t.system, t.internal,
  t.created_at AS "createdAt", t.updated_at AS "updatedAt",
  ${userSql('author')} AS author`;

export const NOTE_COLUMNS = columns('t.body');

/** The same columns for the rows of a page. */
export const LISTED_NOTE_COLUMNS = columns(listedText('t.body', 't.id'));

const AUTHOR = 'JOIN users author ON author.id = t.author_id';

const INSERT_SYSTEM_SQL = `
  INSERT INTO notes (issue_id, alert_id, merge_request_id, author_id, body, system)
  SELECT issue_id, alert_id, merge_request_id, author_id, body, true
  FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::text[])
    WITH ORDINALITY AS n (issue_id, alert_id, merge_request_id, author_id, body, position)
  ORDER BY position`;

/** Bounds what is read for a check, not what a discussion can hold. */
const suspectTextsSql = (column: 'issue_id' | 'snippet_id'): string => `
  SELECT left(n.body, 20000) AS text FROM notes n JOIN users u ON u.id = n.author_id
  WHERE n.${column} = $1 AND NOT n.system AND NOT n.internal
    AND NOT u.admin AND u.user_type <> 'internal'
    AND n.body ~* '://|www\\.|script:|data:text|8\\d\\d'
  ORDER BY n.id DESC LIMIT 500`;

/** The notes of a list; `seesInternal` is a right of the viewer. */
interface NoteSelection {
  filters: ListNotesDto;
  seesInternal: boolean;
}

/** Runs a statement, such as `manager.query` or the rows function of `Sql.transaction`. */
export type RunStatement = (text: string, values: unknown[]) => Promise<unknown>;

/** A note that the server writes about a change; exactly one of the ids is given. */
export interface SystemNote {
  issueId?: number;
  alertId?: number;
  mergeRequestId?: number;
  authorId: number;
  /** Markdown. */
  body: string;
}

/** Owns every statement about notes. */
@Injectable()
export class NotesRepository extends Repository<Note> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
  ) {
    super(Note, dataSource.manager);
  }

  /** Returns one page of notes, newest first unless sorted otherwise; long texts are truncated. */
  list(
    noteable: Noteable,
    { filters, seesInternal }: NoteSelection,
    paging: Paging,
  ): Promise<Page<NoteRow>> {
    const where = visible(noteable, seesInternal);
    const { activity_filter: activity, order_by: by, sort } = filters;
    if (activity === 'only_comments') where.and('NOT t.system');
    if (activity === 'only_activity') where.and('t.system');
    const direction = sort === 'asc' ? 'ASC' : 'DESC';
    return this.queries.page<NoteRow>(
      {
        key: 't.id',
        select: LISTED_NOTE_COLUMNS,
        from: 'notes t',
        joins: AUTHOR,
        where: where.toString(),
        orderBy: `t.${by ?? 'created_at'} ${direction}, t.id ${direction}`,
        values: where.values,
      },
      paging,
    );
  }

  /**
   * Returns the texts of public comments that could be spam, newest first: those of people who are
   * not trusted, with something in them that the spam check looks for.
   */
  async findSuspectTexts(kind: 'issue' | 'snippet', id: number): Promise<string[]> {
    const rows = await this.query<{ text: string }[]>(suspectTextsSql(`${kind}_id`), [id]);
    return rows.map(({ text }) => text);
  }

  /** Throws NotFoundError for a note of something else, and for a hidden internal note. */
  async findInNoteable(noteable: Noteable, id: number, seesInternal: boolean): Promise<NoteRow> {
    const where = visible(noteable, seesInternal);
    where.and(`t.id = ${where.value(id)}`);
    const row = await this.queries.row<NoteRow>(
      `SELECT ${NOTE_COLUMNS} FROM notes t ${AUTHOR} WHERE ${where.toString()}`,
      where.values,
    );
    if (row === null) throw new NotFoundError('Note');
    return row;
  }
}

function visible(noteable: Noteable, seesInternal: boolean): Conditions {
  const where = new Conditions();
  const isCommit = noteable.kind === 'commit';
  const owner = where.value(isCommit ? noteable.projectId : noteable.id);
  where.and(`t.${NOTEABLE_COLUMNS[noteable.kind]} = ${owner}`);
  if (isCommit) where.and(`t.commit_sha = ${where.value(noteable.sha)}`);
  if (!seesInternal) where.and('NOT t.internal');
  return where;
}

/** Inserts system notes in their order by one statement. */
export async function writeSystemNotes(
  run: RunStatement,
  notes: readonly SystemNote[],
): Promise<void> {
  if (notes.length === 0) return;
  await run(INSERT_SYSTEM_SQL, [
    notes.map(({ issueId }) => issueId ?? null),
    notes.map(({ alertId }) => alertId ?? null),
    notes.map(({ mergeRequestId }) => mergeRequestId ?? null),
    notes.map(({ authorId }) => authorId),
    notes.map(({ body }) => body),
  ]);
}
