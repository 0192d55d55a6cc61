import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Viewer } from '../core/access/viewer.js';
import { NotFoundError } from '../core/errors.js';
import type { ProjectRow } from '../projects/project-row.js';
import { checkedReport } from './checked-report.js';
import { type StatusReport, writeStatus } from './commit-status-writes.js';
import { type BuiltCommit, BuiltCommits } from './built-commits.service.js';
import type { ReportCommitStatusDto } from './dto/report-commit-status.dto.js';
import { PipelineListeners } from './pipeline-listeners.service.js';
import { type OpenPipeline, PipelineRecords } from './pipeline-records.service.js';
import { lockPipelines } from './pipelines-lock.js';

/** What somebody reports of the commit that `sha` names. */
export interface CommitReport {
  sha: string;
  dto: ReportCommitStatusDto;
  viewer: Viewer;
}

/** Takes what outside CI says of commits; the caller has decided that the viewer may report. */
@Injectable()
export class CommitStatusReports {
  constructor(
    private readonly commits: BuiltCommits,
    private readonly pipelines: PipelineRecords,
    private readonly listeners: PipelineListeners,
    private readonly dataSource: DataSource,
  ) {}

  /**
   * Answers the status' id. Throws 404 `Commit` or `Pipeline`, 400 for attributes that break a rule
   * and for a state that cannot follow.
   */
  async report(project: ProjectRow, { sha, dto, viewer }: CommitReport): Promise<number> {
    const report = checkedReport(dto, viewer.id);
    const commit = await this.commits.find(project, sha, dto.ref ?? null);
    const { id, hasSucceeded } = await this.dataSource.transaction(async (tx) => {
      await lockPipelines(tx, project.id, commit.sha);
      const pipeline = await this.pipelineOf(tx, commit, report);
      const written = await writeStatus(tx, pipeline.id, report);
      return { id: written, hasSucceeded: await this.pipelines.settle(tx, pipeline) };
    });
    if (hasSucceeded) this.listeners.tellCommitted();
    return id;
  }

  private async pipelineOf(
    tx: EntityManager,
    { projectId, sha, ref, fallbackRef }: BuiltCommit,
    { dto: { pipeline_id: wantedId }, userId }: StatusReport,
  ): Promise<OpenPipeline> {
    const id = wantedId ?? null;
    const found = await this.pipelines.find(tx, { projectId, sha, ref, id });
    if (found !== null) return found;
    if (id !== null) throw new NotFoundError('Pipeline');
    return this.pipelines.make(tx, { projectId, sha, ref: ref ?? fallbackRef }, userId);
  }
}
