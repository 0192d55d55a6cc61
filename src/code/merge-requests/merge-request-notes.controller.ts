import { Controller } from '@nestjs/common';
import { Scopes } from '../../core/access/access.decorator.js';
import type { NoteableReference } from '../../workspace/notes/noteable.js';
import {
  IssuableNotesController,
  type IssuableComments,
} from '../../workspace/notes/notes.controller.js';
import { NotesService } from '../../workspace/notes/notes.service.js';
import { ProjectAbility } from '../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import { assertMergeRequestsEnabled, assertTakesMergeRequests } from './merge-request-access.js';
import { MergeRequestNotesService } from './merge-request-notes.service.js';

/**
 * Comments and system notes of merge requests.
 * @noteable a merge request
 */
@Controller('projects/:id/merge_requests/:merge_request_iid/notes')
@Scopes()
@ProjectAbility('read_merge_request')
export class MergeRequestNotesController extends IssuableNotesController {
  constructor(
    notes: NotesService,
    private readonly discussions: MergeRequestNotesService,
  ) {
    super(notes);
  }

  protected async commentsOn(
    project: ProjectRow,
    { viewer, number, sender }: NoteableReference,
    purpose: 'read' | 'change',
  ): Promise<IssuableComments> {
    if (purpose === 'change') assertTakesMergeRequests(project);
    assertMergeRequestsEnabled(project);
    const discussion = await this.discussions.of(viewer, project, number);
    return { discussion, create: (dto) => this.discussions.create(discussion, sender, dto) };
  }
}
