import { Injectable } from '@nestjs/common';
import { PIPELINE_COLUMNS, type PipelineRow } from '../code/code.repository.js';
import { Sql } from '../core/sql/sql.service.js';

/**
 * FROM part and order by which the pipeline of the head of merge request `r` comes first: that of
 * its own branch, else any of the commit.
 */
export const HEAD_PIPELINE = `FROM pipelines l
  WHERE l.project_id = r.project_id AND l.sha = r.head_sha
  ORDER BY (l.ref = r.source_branch) DESC, l.id DESC LIMIT 1`;

const FIND_SQL = `
  SELECT l.* FROM merge_requests r
  CROSS JOIN LATERAL (SELECT ${PIPELINE_COLUMNS} ${HEAD_PIPELINE}) l WHERE r.id = $1`;

/** Pipelines of merge request heads, reported by external CI. */
@Injectable()
export class HeadPipelines {
  constructor(private readonly sql: Sql) {}

  /** null = nothing was reported of the head. */
  find(mergeRequestId: number): Promise<PipelineRow | null> {
    return this.sql.row<PipelineRow>(FIND_SQL, [mergeRequestId]);
  }
}
