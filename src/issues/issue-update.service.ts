import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditTrail } from '../core/audit/audit.service.js';
import { Clock } from '../core/clock.js';
import { NotFoundError } from '../core/errors.js';
import { assertSomethingGiven } from '../core/params/something-given.js';
import type { ProjectRow } from '../projects/project-row.js';
import { SpamCheck } from '../spam/spam-check.service.js';
import { UPDATABLE_ATTRIBUTES, type UpdateIssueDto } from './dto/update-issue.dto.js';
import { assertMayDisclose } from './issue-access.js';
import { assertLengths } from './issue-attributes.js';
import type { IssueChange } from './issue-change.decorator.js';
import type { FoundIssue } from './issue-row.js';
import { issueSubmission } from './issue-submission.js';
import { Issue } from './issue.entity.js';

type Texts = Pick<Issue, 'title' | 'description' | 'confidential'>;

/** Changes issues. */
@Injectable()
export class IssueUpdateService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly spam: SpamCheck,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
  ) {}

  /**
   * The caller has checked that the viewer may change the issue. Throws 403 for a change of
   * confidentiality without the right to it, 400 for bad parameters, 400 or 409 for spam, 404
   * when the issue is deleted meanwhile.
   */
  async update(
    { project, issue }: { project: ProjectRow; issue: FoundIssue },
    dto: UpdateIssueDto,
    change: IssueChange,
  ): Promise<void> {
    assertSomethingGiven(dto, UPDATABLE_ATTRIBUTES);
    assertLengths(dto);
    const wanted = { ...textsOf(issue), ...givenTexts(dto) };
    if (wanted.confidential !== issue.confidential) assertMayDisclose(issue, change.viewer);
    const submission = differs(issue, wanted) ? issueSubmission(wanted, project) : null;
    if (submission !== null) await this.spam.assertClean(submission, change.sender);
    await this.dataSource.transaction((tx) => this.save(tx, { id: issue.id, dto, change }));
  }

  /** Compares with the row as it is now: somebody else may have changed it meanwhile. */
  private async save(
    tx: EntityManager,
    { id, dto, change }: { id: number; dto: UpdateIssueDto; change: IssueChange },
  ): Promise<void> {
    const before = await tx.findOne(Issue, { where: { id }, lock: { mode: 'pessimistic_write' } });
    if (before === null) throw new NotFoundError();
    const texts = givenTexts(dto);
    const state = this.stateChange(before, dto, change.viewer.id);
    if (!differs(before, { ...textsOf(before), ...texts }) && state === null) return;
    await tx.update(Issue, { id }, { ...texts, ...state, updatedAt: () => 'now()' });
    const { confidential } = texts;
    if (confidential === undefined || confidential === before.confidential) return;
    await this.audit.record(tx, change.auth, {
      action: 'issue_confidentiality_changed',
      targetType: 'Issue',
      targetId: id,
      targetName: texts.title ?? before.title,
      entity: { type: 'Project', id: before.projectId },
      details: { iid: before.iid, confidential: { from: before.confidential, to: confidential } },
    });
  }

  private stateChange(
    { state }: Issue,
    { state_event: event }: UpdateIssueDto,
    closedById: number,
  ): Partial<Issue> | null {
    if (event === 'close' && state === 'opened') {
      return { state: 'closed', closedAt: this.clock.now(), closedById };
    }
    if (event !== 'reopen' || state === 'opened') return null;
    return { state: 'opened', closedAt: null, closedById: null };
  }
}

function textsOf({ title, description, confidential }: Texts): Texts {
  return { title, description, confidential };
}

/** What the request sets: null clears the description and keeps the others. */
function givenTexts(dto: UpdateIssueDto): Partial<Texts> {
  return {
    ...(dto.title && { title: dto.title }),
    ...(dto.description !== undefined && { description: dto.description }),
    ...(typeof dto.confidential === 'boolean' && { confidential: dto.confidential }),
  };
}

function differs(before: Texts, after: Texts): boolean {
  return (['title', 'description', 'confidential'] as const).some(
    (name) => before[name] !== after[name],
  );
}
