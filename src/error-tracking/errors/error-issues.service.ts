import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Viewer } from '../../core/access/auth-context.js';
import { ConflictError, NotFoundError } from '../../core/errors.js';
import { NO_PRECONDITIONS, type Preconditions } from '../../core/preconditions.js';
import { assertTakesIssues } from '../../workspace/issues/issue-rules.js';
import { IssuesRepository } from '../../workspace/issues/issues.repository.js';
import { IssuesService } from '../../workspace/issues/issues.service.js';
import { VISIBILITY } from '../../identity/members/visibility.js';
import type { ActorContext } from '../../workspace/spam/request-context.decorator.js';
import { ErrorEventsRepository } from '../events/error-events.repository.js';
import { eventDetails, traceText } from '../events/event-details.js';
import { unpackPayload, type EventsOwner } from '../events/stored-event.js';
import { errorPath } from '../error-paths.js';
import { ErrorGroup } from '../error-group.entity.js';
import { errorTitle, type ErrorDetailsRow, type ErrorGroupRow } from './error-group.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import { ErrorGroupsRepository } from './error-groups.repository.js';
import { codeBlockMarkdown, codeMarkdown, inlineMarkdown } from '../../core/inline-markdown.js';

/** Newest event of an error, with the attributes that an issue shows. */
interface DescribedEvent {
  environment: string;
  /** Its stacks as text; empty when it has none. */
  trace: string;
}

type DescribedError = Pick<
  ErrorGroupRow,
  'value' | 'culprit' | 'firstSeenAt' | 'lastSeenAt' | 'eventsCount' | 'usersCount' | 'lastRelease'
>;

/** Stacks of thousands of calls stay readable, and the description within its bound. */
const MAX_TRACE_LINES = 200;
const MAX_TRACE_LENGTH = 50_000;

/** Two spaces before the end of a line keep the next row from joining it. */
const END_OF_ROW = '  \n';

/**
 * Returns the Markdown description of an issue for an error: its attributes row by row, then the
 * stack trace of its newest event. Texts of programs cannot break out of their row or block, and
 * mention no one.
 */
export function errorIssueText(
  error: DescribedError,
  { webUrl, event }: { webUrl: string; event: DescribedEvent | null },
): string {
  const rows: [string, string | null][] = [
    ['Error', webUrl],
    ['Message', error.value === null ? null : inlineMarkdown(error.value)],
    ['Where', codeMarkdown(error.culprit)],
    ['First seen', error.firstSeenAt.toISOString()],
    ['Last seen', error.lastSeenAt.toISOString()],
    ['Events', String(error.eventsCount)],
    ['Users affected', String(error.usersCount)],
    ['Environment', event === null ? null : inlineMarkdown(event.environment)],
    ['Release', error.lastRelease === null ? null : codeMarkdown(error.lastRelease)],
  ];
  const given = rows.filter(([, value]) => value !== null && value !== '');
  const facts = given.map(([key, value]) => `**${key}:** ${value}${END_OF_ROW}`).join('');
  const trace = bounded(event?.trace ?? '');
  return trace === '' ? facts : `${facts}\n### Stack trace\n\n${codeBlockMarkdown(trace)}\n`;
}

function bounded(trace: string): string {
  const lines = trace.trim().split(/\r\n|[\r\n]/);
  const text = lines.slice(0, MAX_TRACE_LINES).join('\n').slice(0, MAX_TRACE_LENGTH);
  const isWhole = lines.length <= MAX_TRACE_LINES && text.length < MAX_TRACE_LENGTH;
  return isWhole ? text : `${text}\n…`;
}

/** An error and its project, as the viewer can see them. */
interface ErrorInProject {
  project: ProjectRow;
  error: ErrorDetailsRow;
}

/** Attributes of an issue for an error. */
interface NewErrorIssue {
  /** The error's own title by default. */
  title?: string | null;
  /** Confidential by default if users without access to errors can see issues. */
  confidential?: boolean | null;
  baseUrl: string;
}

/** Opens issues for errors, links errors to issues that are there, and parts them. */
@Injectable()
export class ErrorIssues {
  constructor(
    private readonly dataSource: DataSource,
    private readonly errors: ErrorGroupsRepository,
    private readonly issues: IssuesRepository,
    private readonly creation: IssuesService,
    private readonly events: ErrorEventsRepository,
  ) {}

  /**
   * Returns the number of the new issue. The caller checks permissions. Throws 403 in a project
   * without issues, 409 when the error has an issue already, and what making an issue throws.
   */
  async create(
    { project, error }: ErrorInProject,
    { title, confidential, baseUrl }: NewErrorIssue,
    change: ActorContext,
  ): Promise<number> {
    assertTakesIssues(project);
    if (error.issue !== null) throw alreadyThere();
    const webUrl = `${baseUrl}${errorPath(project, error.id)}`;
    const event = await this.newestEvent(error);
    const dto = {
      title: title?.trim() ? title : errorTitle(error),
      description: errorIssueText(error, { webUrl, event }),
      confidential: confidential ?? project.visibility !== VISIBILITY.private,
    };
    const onCreated = async (tx: EntityManager, issueId: number): Promise<void> => {
      await this.assertWithoutIssue(tx, error.id);
      await setIssue(tx, error.id, issueId);
    };
    return this.creation.create(project, dto, { ...change, onCreated });
  }

  /**
   * Links an issue of the error's project. Throws 403 in a project without issues, 404 for an issue
   * that the viewer cannot see, 409 when the error has an issue already.
   */
  async link({ project, error }: ErrorInProject, issueIid: number, viewer: Viewer): Promise<void> {
    assertTakesIssues(project);
    const issue = await this.issues.findVisible(viewer, project.id, issueIid);
    await this.dataSource.transaction(async (tx) => {
      // Issues before errors, as everywhere, to avoid deadlocks.
      await this.errors.lockIssue(tx, issue.id);
      await this.assertWithoutIssue(tx, error.id);
      await setIssue(tx, error.id, issue.id);
    });
  }

  /**
   * Removes the link and keeps both. Throws 403 in a project without issues, 404 when the error has
   * no issue, and 412.
   */
  async unlink(
    { project, error }: ErrorInProject,
    preconditions: Preconditions = NO_PRECONDITIONS,
  ): Promise<void> {
    assertTakesIssues(project);
    await this.dataSource.transaction(async (tx) => {
      const { issueId, updatedAt } = await this.errors.lock(tx, error.id);
      if (issueId === null) throw new NotFoundError('Issue');
      preconditions.check(updatedAt);
      await setIssue(tx, error.id, null);
    });
  }

  /** Throws 409 when the error has an issue; locks the error until the transaction ends. */
  private async assertWithoutIssue(tx: EntityManager, errorId: number): Promise<void> {
    if ((await this.errors.lock(tx, errorId)).issueId !== null) throw alreadyThere();
  }

  /** null when retention has deleted all events. */
  private async newestEvent(error: EventsOwner): Promise<DescribedEvent | null> {
    try {
      const event = await this.events.get(error, 'latest');
      const details = eventDetails(event, await unpackPayload(event));
      return { environment: details.environment, trace: traceText(details) };
    } catch (refusal) {
      if (refusal instanceof NotFoundError) return null;
      throw refusal;
    }
  }
}

function alreadyThere(): ConflictError {
  return new ConflictError('An issue already exists');
}

async function setIssue(tx: EntityManager, id: number, issueId: number | null): Promise<void> {
  await tx.update(ErrorGroup, { id }, { issueId, updatedAt: () => 'now()' });
}
