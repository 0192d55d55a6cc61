import { Injectable } from '@nestjs/common';
import { NotFoundError } from '../core/errors.js';
import type { Page } from '../core/pagination/page.js';
import type { Paging } from '../core/pagination/paging.decorator.js';
import { Conditions } from '../core/sql/conditions.js';
import { Sql } from '../core/sql/sql.service.js';
import type { ListNotesDto } from './dto/list-notes.dto.js';
import { LISTED_NOTE_COLUMNS, NOTE_COLUMNS, type NoteRow } from './note-row.js';
import { NOTEABLE_COLUMNS, type Noteable } from './noteable.js';

/** Which notes a list is about; `seesInternal` is the asker's right. */
export interface NoteSelection {
  filters: ListNotesDto;
  seesInternal: boolean;
}

const AUTHOR = 'JOIN users author ON author.id = t.author_id';

/** Reads the notes of things that the caller has decided the asker may see. */
@Injectable()
export class NotesFinder {
  constructor(private readonly sql: Sql) {}

  /** Newest first unless asked otherwise; of very long texts together only the beginning. */
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
    return this.sql.page<NoteRow>(
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

  /** The note with that id beneath the thing; 404 also for an internal one that is hidden. */
  async find(noteable: Noteable, id: number, seesInternal: boolean): Promise<NoteRow> {
    const where = visible(noteable, seesInternal);
    where.and(`t.id = ${where.value(id)}`);
    const row = await this.sql.row<NoteRow>(
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
