import { Injectable } from '@nestjs/common';
import type { Viewer } from '../core/access/viewer.js';
import type { ProjectRow } from '../projects/projects.repository.js';
import { HeadPipelines } from './head-pipelines.service.js';
import { mayPushTo } from './merge-request-access.js';
import type { FoundMergeRequest, MergeRequestRow } from './merge-request-row.js';
import type { LookedAt } from './merge-request.presenter.js';
import { MergeRequestsFinder } from './merge-requests-finder.service.js';
import { MergeabilityService } from './mergeability.service.js';

/** A merge request that someone looks at by itself. */
export interface MergeRequestView extends LookedAt {
  row: FoundMergeRequest;
}

/** Viewer and project of a page. */
export interface Looking {
  project: ProjectRow;
  viewer: Viewer | null;
  iid: number;
}

/** Shows single merge requests, with what has to be found out about them. */
@Injectable()
export class MergeRequestViews {
  constructor(
    private readonly finder: MergeRequestsFinder,
    private readonly mergeability: MergeabilityService,
    private readonly pipelines: HeadPipelines,
  ) {}

  /** 404 for what there is not or what the viewer cannot see. */
  async show({ project, viewer, iid }: Looking): Promise<MergeRequestView> {
    const row = await this.finder.find(viewer, project.id, iid);
    const [mergeability, pipeline] = await Promise.all([
      this.mergeability.look(row),
      this.pipelines.find(row.id),
    ]);
    return { row, mergeability, pipeline, mayMerge: mayMerge(row, project, viewer) };
  }
}

/** May the viewer, who sees it, push to its target branch? */
export function mayMerge(
  {
    targetBranch: branch,
    accessLevel,
  }: Pick<MergeRequestRow, 'targetBranch'> & { accessLevel: number },
  { defaultBranch }: Pick<ProjectRow, 'defaultBranch'>,
  viewer: Viewer | null,
): boolean {
  return mayPushTo({ branch, defaultBranch, accessLevel, viewer });
}
