import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Page } from '../../core/pagination/page.js';
import type { Paging } from '../../core/pagination/paging.decorator.js';
import { type CommitRecord, readCommit } from '../../git/reading/commits.js';
import { diffOfCommit } from '../../git/reading/diffs.js';
import type { OpenRepository } from '../../git/reading/repository-reader.service.js';
import { type CommitLine, NotesService } from '../../workspace/notes/notes.service.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import type { SpamSender } from '../../workspace/spam/submission.js';
import { CommitCommentsRepository, type CommitCommentRow } from './commit-comments.repository.js';
import { orNotFound, ProjectRepository, revisionOf } from './project-repository.service.js';
import { diffLines } from './diff-lines.js';

/** A comment as someone wrote it. */
interface NewCommitComment {
  sender: SpamSender;
  body: string;
  /** Left aside when the commit changes no such line. */
  line: CommitLine | null;
}

/** Comments on commits; the caller has checked that the viewer can read the code. */
@Injectable()
export class CommitComments {
  constructor(
    private readonly repositories: ProjectRepository,
    private readonly comments: CommitCommentsRepository,
    private readonly dataSource: DataSource,
    private readonly writer: NotesService,
  ) {}

  /** The oldest first; 404 `Commit`. `sha` can be short, a branch or a tag. */
  async list(project: ProjectRow, sha: string, paging: Paging): Promise<Page<CommitCommentRow>> {
    const { id } = await this.repositories.read(project, (open) => commitOf(open, sha));
    return this.comments.list(project.id, id, paging);
  }

  /** Throws 404 `Commit`, 400 for a text that is blank or too long, 400 or 409 for spam. */
  async create(
    project: ProjectRow,
    sha: string,
    comment: NewCommitComment,
  ): Promise<CommitCommentRow> {
    const { sender, body, line: wanted } = comment;
    const { commit, line } = await this.repositories.read(project, async (open) => {
      const found = await commitOf(open, sha);
      return { commit: found, line: wanted && (await changedLine(open, found, wanted)) };
    });
    const noteable = { kind: 'commit', id: null, iid: null, projectId: project.id } as const;
    const note = { noteable: { ...noteable, sha: commit.id }, authorId: sender.viewer.id, body };
    const { visibility } = project;
    await this.writer.assertClean({ body, visibility, isConfidential: false }, sender);
    const id = await this.dataSource.transaction((tx) =>
      this.writer.create(tx, { ...note, ...(line && { line }) }),
    );
    return orNotFound(await this.comments.findById(id), 'Note');
  }
}

async function commitOf(repository: OpenRepository, sha: string): Promise<CommitRecord> {
  const { oid } = await revisionOf(repository, sha, 'Commit');
  return orNotFound(await readCommit(repository, oid), 'Commit');
}

/** The line if the commit adds it (`new`) or removes it (`old`), else null: v4 then drops it. */
async function changedLine(
  repository: OpenRepository,
  commit: CommitRecord,
  wanted: CommitLine,
): Promise<CommitLine | null> {
  const { files } = await diffOfCommit(repository, commit);
  const file = files.find(({ newPath }) => newPath === wanted.path);
  const isNew = wanted.type === 'new';
  const lines = diffLines(file?.diff ?? '').filter(({ kind, oldLine, newLine }) => {
    return isNew
      ? kind === 'added' && newLine === wanted.line
      : kind === 'removed' && oldLine === wanted.line;
  });
  return lines.length === 0 ? null : wanted;
}
