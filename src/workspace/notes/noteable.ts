import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { parseIntegerId } from '../../core/params/ids.js';
import { readPreconditions, type Preconditions } from '../../core/preconditions.js';
import { actorContext, type ActorContext } from '../spam/request-context.decorator.js';

/** Types of noteables, by the names that v4 clients know. */
export const NOTEABLE_TYPES = {
  issue: 'Issue',
  alert: 'AlertManagement::Alert',
  merge_request: 'MergeRequest',
  snippet: 'Snippet',
  commit: 'Commit',
} as const;
type NoteableKind = keyof typeof NOTEABLE_TYPES;
export type NoteableType = (typeof NOTEABLE_TYPES)[NoteableKind];

/** The column of `notes` that names what they belong to; that of commits names their project. */
export const NOTEABLE_COLUMNS = {
  issue: 'issue_id',
  alert: 'alert_id',
  merge_request: 'merge_request_id',
  snippet: 'snippet_id',
  commit: 'commit_project_id',
} as const satisfies Record<NoteableKind, string>;

/** Noteable with a number within its project. */
interface NumberedNoteable {
  kind: 'issue' | 'alert' | 'merge_request';
  id: number;
  iid: number;
  projectId: number;
}

interface NotedSnippet {
  kind: 'snippet';
  id: number;
  iid: null;
  projectId: number;
}

/** Commits have no number of ours: their object id names them. */
interface NotedCommit {
  kind: 'commit';
  id: null;
  iid: null;
  projectId: number;
  sha: string;
}

/** One thing that has notes. */
export type Noteable = NumberedNoteable | NotedSnippet | NotedCommit;

/** Path parameters with the number of a noteable, which each kind names itself. */
const NUMBERS = ['issue_iid', 'merge_request_iid', 'snippet_id'];

/** The noteable in a path, the preconditions of its change, and the signed-in user. */
export interface NoteableReference extends ActorContext {
  /** Number within the project; the ID of a snippet. */
  number: number;
  preconditions: Preconditions;
}

/**
 * The noteable whose number the path has, else 401 for anonymous requests:
 * `list(@NoteableRef() { number, viewer }: NoteableReference)`. Also for reading notes, which
 * requires signing in even in public projects.
 */
export const NoteableRef = createParamDecorator(
  (_: unknown, context: ExecutionContext): NoteableReference => {
    const request = context.switchToHttp().getRequest<Request>();
    const name = NUMBERS.find((each) => each in request.params) ?? '';
    const number = parseIntegerId(String(request.params[name]), name);
    return { ...actorContext(request), number, preconditions: readPreconditions(request) };
  },
);
