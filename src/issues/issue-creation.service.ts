import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { NotFoundError } from '../core/errors.js';
import type { ProjectRow } from '../projects/project-row.js';
import { SpamCheck } from '../spam/spam-check.service.js';
import type { CreateIssueDto } from './dto/create-issue.dto.js';
import { assertLengths } from './issue-attributes.js';
import type { IssueChange } from './issue-change.decorator.js';
import { issueSubmission } from './issue-submission.js';
import { Issue } from './issue.entity.js';

/** The row of the counter is held until the commit, so numbers are given in order of commits. */
const NEXT_IID = `
  INSERT INTO issue_counters AS c (project_id, last_iid)
    SELECT id, 1 FROM projects WHERE id = $1 AND NOT pending_delete
  ON CONFLICT (project_id) DO UPDATE SET last_iid = c.last_iid + 1
  RETURNING last_iid AS iid`;

/** Makes issues and numbers them within their project. */
@Injectable()
export class IssueCreationService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly spam: SpamCheck,
  ) {}

  /**
   * Answers the new issue's number. Throws 400 for texts that are too long, 400 or 409 for spam,
   * 404 when the project is deleted meanwhile.
   */
  async create(project: ProjectRow, dto: CreateIssueDto, change: IssueChange): Promise<number> {
    assertLengths(dto);
    const { title, description = null } = dto;
    const confidential = dto.confidential === true;
    const submission = issueSubmission({ title, description, confidential }, project);
    if (submission !== null) await this.spam.assertClean(submission, change.sender);
    return this.dataSource.transaction(async (tx) => {
      const iid = await nextIid(tx, project.id);
      const issue = { projectId: project.id, iid, authorId: change.viewer.id };
      await tx.insert(Issue, { ...issue, title, description, confidential });
      return iid;
    });
  }
}

async function nextIid(tx: EntityManager, projectId: number): Promise<number> {
  const rows = await tx.query<{ iid: number }[]>(NEXT_IID, [projectId]);
  const [row] = rows;
  if (row === undefined) throw new NotFoundError('Project');
  return row.iid;
}
