import { Injectable } from '@nestjs/common';
import type { ProjectRow } from '../projects/projects.repository.js';
import type { CreateMergeRequestDto, UpdateMergeRequestDto } from './merge-request.dto.js';
import { assertMayChange } from './merge-request-access.js';
import type {
  MergeRequestChange,
  MergeRequestIidChange,
} from './merge-request-change.decorator.js';
import { MergeRequestCreationService } from './merge-request-creation.service.js';
import { MergeRequestDeletionService } from './merge-request-deletion.service.js';
import { MergeRequestUpdateService } from './merge-request-update.service.js';
import { MergeRequestsFinder } from './merge-requests-finder.service.js';

interface Wish<T> {
  project: ProjectRow;
  dto: T;
}

/**
 * Changes as endpoints and pages offer them; the caller has let pass only projects that take merge
 * requests. The order of refusals: 404 for what the viewer cannot see, 403, 412, then what the
 * parameters forbid.
 */
@Injectable()
export class MergeRequestChangesService {
  constructor(
    private readonly finder: MergeRequestsFinder,
    private readonly creation: MergeRequestCreationService,
    private readonly updating: MergeRequestUpdateService,
    private readonly deletion: MergeRequestDeletionService,
  ) {}

  /** The caller has decided that the viewer may. Answers the new number. */
  create(
    wish: Wish<CreateMergeRequestDto>,
    { sender }: Pick<MergeRequestChange, 'sender'>,
  ): Promise<number> {
    return this.creation.create(wish.project, wish.dto, sender);
  }

  async update(
    wish: Wish<UpdateMergeRequestDto>,
    change: Omit<MergeRequestIidChange, 'auth'>,
  ): Promise<void> {
    const { viewer, iid, preconditions, sender } = change;
    const request = await this.finder.find(viewer, wish.project.id, iid);
    assertMayChange(request, viewer);
    preconditions.check(request.updatedAt);
    await this.updating.update({ project: wish.project, request }, wish.dto, sender);
  }

  /** The caller has decided that the viewer may delete merge requests there. */
  async delete(project: ProjectRow, change: MergeRequestIidChange): Promise<void> {
    const request = await this.finder.find(change.viewer, project.id, change.iid);
    change.preconditions.check(request.updatedAt);
    await this.deletion.delete(request, change.auth);
  }
}
