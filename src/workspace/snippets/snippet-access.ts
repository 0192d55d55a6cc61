import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Viewer } from '../../core/access/auth-context.js';
import type { AuditedEntity } from '../../core/audit/audit.service.js';
import { ForbiddenError } from '../../core/errors.js';
import { parseIntegerId } from '../../core/params/ids.js';
import { readPreconditions, type Preconditions } from '../../core/preconditions.js';
import { publicBaseUrl, type ResponseContext } from '../../core/response-context.js';
import { canInProject } from '../../identity/members/abilities.js';
import { VISIBILITY } from '../../identity/members/visibility.js';
import type { ProjectRow } from '../projects/projects.repository.js';
import { actorContext, type ActorContext } from '../spam/request-context.decorator.js';
import type { FoundSnippet, SnippetRow } from './snippets.repository.js';

/** Throws ForbiddenError unless the viewer, who sees the snippet, can change and delete it. */
export function assertMayChange(snippet: FoundSnippet, viewer: Viewer): void {
  if (!mayChange(snippet, viewer)) throw new ForbiddenError();
}

/** Returns whether the viewer can change the snippet: its author, and Maintainers of its project. */
export function mayChange(
  snippet: Pick<FoundSnippet, 'projectArchived' | 'authorId' | 'projectId' | 'accessLevel'>,
  viewer: Viewer,
): boolean {
  // An archived project is read-only for everyone.
  if (snippet.projectArchived === true) return false;
  if (viewer.admin || snippet.authorId === viewer.id) return true;
  if (snippet.projectId === null) return false;
  const { accessLevel } = snippet;
  return canInProject('admin_snippet', { visibility: VISIBILITY.private, accessLevel, viewer });
}

/** Returns whether the viewer can create personal snippets, which external users cannot. */
export function mayCreatePersonal(viewer: Viewer): boolean {
  return viewer.admin || !viewer.external;
}

/** Returns the entity whose audit log lists the snippet: its project, else its author. */
export function trailOf(snippet: Pick<SnippetRow, 'projectId' | 'authorId'>): AuditedEntity {
  const { projectId, authorId } = snippet;
  if (projectId === null) return { type: 'User', id: authorId };
  return { type: 'Project', id: projectId };
}

/** Throws ForbiddenError in a project that has snippets turned off. */
export function assertSnippetsEnabled(project: ProjectRow): void {
  if (!project.snippetsEnabled) throw new ForbiddenError();
}

/** Throws ForbiddenError also in an archived project, which is read-only for everyone. */
export function assertTakesSnippets(project: ProjectRow): void {
  assertSnippetsEnabled(project);
  if (project.archived) throw new ForbiddenError();
}

/** Author of a snippet's change, its preconditions, and the context of the response. */
export interface SnippetRequestContext extends ActorContext {
  preconditions: Preconditions;
  presentation: ResponseContext;
}

/** A change of the snippet whose id the path names. */
export interface SnippetReference extends SnippetRequestContext {
  snippetId: number;
}

/** Returns the author and preconditions of a change. Throws 401 for anonymous requests. */
export const SnippetContext = createParamDecorator((_: unknown, context: ExecutionContext) =>
  snippetContext(context.switchToHttp().getRequest<Request>()),
);

/**
 * The snippet whose id the path parameter names: `@SnippetRef('id') change: SnippetReference`. Also
 * for reading notes, which requires signing in even in public projects.
 */
export const SnippetRef = createParamDecorator(
  (name: string, context: ExecutionContext): SnippetReference => {
    const request = context.switchToHttp().getRequest<Request>();
    const snippetId = parseIntegerId(String(request.params[name]), name);
    return { ...snippetContext(request), snippetId };
  },
);

function snippetContext(request: Request): SnippetRequestContext {
  const actor = actorContext(request);
  const presentation = { viewer: actor.viewer, baseUrl: publicBaseUrl(request) };
  return { ...actor, preconditions: readPreconditions(request), presentation };
}
