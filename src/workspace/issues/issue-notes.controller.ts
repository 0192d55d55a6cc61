import { Controller } from '@nestjs/common';
import { Scopes } from '../../core/access/access.decorator.js';
import type { NoteableReference } from '../notes/noteable.js';
import { IssuableNotesController, type IssuableComments } from '../notes/notes.controller.js';
import { NotesService } from '../notes/notes.service.js';
import { ProjectAbility } from '../projects/project-access.guard.js';
import type { ProjectRow } from '../projects/projects.repository.js';
import { IssueNotesService } from './issue-notes.service.js';
import { assertIssuesEnabled, assertTakesIssues } from './issue-rules.js';

/**
 * Comments and system notes of issues.
 * @noteable an issue
 */
@Controller('projects/:id/issues/:issue_iid/notes')
@Scopes()
@ProjectAbility('read_note')
export class IssueNotesController extends IssuableNotesController {
  constructor(
    notes: NotesService,
    private readonly discussions: IssueNotesService,
  ) {
    super(notes);
  }

  protected async commentsOn(
    project: ProjectRow,
    reference: NoteableReference,
    purpose: 'read' | 'change',
  ): Promise<IssuableComments> {
    if (purpose === 'change') assertTakesIssues(project);
    assertIssuesEnabled(project);
    const discussion = await this.discussions.of(reference.viewer, project, reference.number);
    return { discussion, create: (dto) => this.discussions.create(discussion, reference, dto) };
  }
}
