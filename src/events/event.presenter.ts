import {
  EVENT_ACTIONS,
  EVENT_NOTEABLES,
  EVENT_TARGETS,
  PUSH_ACTIONS,
  REF_TYPES,
  type EventNoteable,
  type PushAction,
  type RefType,
  type EventAction,
} from '../core/activity/event.entity.js';
import type { ResponseContext } from '../core/response-context.js';
import type { ItemFormat } from '../core/sql/json-pages.service.js';
import { presentNote, type NoteResponse } from '../workspace/notes/note.presenter.js';
import type { Noteable } from '../workspace/notes/noteable.js';
import { presentUserBasic } from '../identity/users/user.presenter.js';
import type { EventNoteRow, EventRow } from './visible-events.repository.js';
import type {
  DiffNoteResponse,
  EventResponse,
  ProjectEventResponse,
  PushResponse,
  WikiPageResponse,
  TargetType,
  ActionName,
} from './event.response.js';
import { wikiPageNames } from './wiki-pages.repository.js';

/** Reopening has the name of opening, as in v4; only the filter distinguishes them. */
const ACTION_NAMES: Record<Exclude<EventAction, 'created' | 'updated' | 'pushed'>, ActionName> = {
  closed: 'closed',
  reopened: 'opened',
  commented: 'commented on',
  merged: 'accepted',
  joined: 'joined',
  left: 'left',
  destroyed: 'destroyed',
  expired: 'removed due to membership expiration from',
  approved: 'approved',
};

const PUSH_NAMES: Record<number, ActionName> = {
  [PUSH_ACTIONS.created]: 'pushed new',
  [PUSH_ACTIONS.removed]: 'deleted',
  [PUSH_ACTIONS.pushed]: 'pushed to',
};

const TARGET_TYPES: ReadonlyMap<number, TargetType> = new Map([
  [EVENT_TARGETS.issue, 'Issue'],
  [EVENT_TARGETS.merge_request, 'MergeRequest'],
  [EVENT_TARGETS.milestone, 'Milestone'],
  [EVENT_TARGETS.note, 'Note'],
  [EVENT_TARGETS.project, 'Project'],
  [EVENT_TARGETS.wiki_page, 'WikiPage::Meta'],
]);
const ACTIONS = byNumber<EventAction>(EVENT_ACTIONS);
const NOTEABLES = byNumber<EventNoteable>(EVENT_NOTEABLES);
const PUSHES = byNumber<PushAction>(PUSH_ACTIONS);
const REFS = byNumber<RefType>(REF_TYPES);

/** An event as the lists of people's events show it. */
function presentEvent(row: EventRow, presentation: ResponseContext): EventResponse {
  const page = wikiPageOf(row);
  const about = {
    id: row.id,
    title: null,
    project_id: row.projectId,
    action_name: actionName(row),
    target_id: row.targetId,
    target_iid: row.target?.iid ?? row.targetId,
    target_type: targetTypeOf(row),
    author_id: row.authorId,
    target_title: row.note?.noteableTitle ?? row.target?.title ?? page?.title ?? null,
    created_at: row.createdAt.toISOString(),
  };
  return Object.assign(about, details(row, page, presentation), author(row, presentation), {
    imported: false as const,
    imported_from: 'none' as const,
  });
}

/** Every member is kept: none depends on the viewer or is read for each request. */
const KEPT_WHOLE = { form: () => '', presentFresh: () => ({}) };

/** Format of lists of people's events. */
export function eventFormat(
  presentation: ResponseContext,
): ItemFormat<EventResponse, EventRow, object> {
  return { name: 'event', present: (row) => presentEvent(row, presentation), ...KEPT_WHOLE };
}

/** Format of the list of a project's events. */
export function projectEventFormat(
  presentation: ResponseContext,
): ItemFormat<ProjectEventResponse, EventRow, object> {
  return {
    name: 'event of a project',
    present: (row) => Object.assign(presentEvent(row, presentation), { data: null }),
    ...KEPT_WHOLE,
  };
}

type Details = Pick<EventResponse, 'note' | 'wiki_page' | 'push_data'>;

function details(
  row: EventRow,
  page: WikiPageResponse | null,
  presentation: ResponseContext,
): Details {
  if (row.action === EVENT_ACTIONS.pushed) return { push_data: presentPush(row) };
  if (row.note !== null) return { note: presentNoteOf(row, row.note, presentation) };
  return page === null ? {} : { wiki_page: page };
}

function author(
  { author: user }: EventRow,
  { baseUrl }: ResponseContext,
): Pick<EventResponse, 'author' | 'author_username'> {
  if (user === null) return { author_username: null };
  return { author: presentUserBasic(user, baseUrl), author_username: user.username };
}

function wikiPageOf({ target }: EventRow): WikiPageResponse | null {
  return target?.path === undefined ? null : wikiPageNames(target.path);
}

function presentPush(row: EventRow): PushResponse {
  return {
    commit_count: row.commitCount ?? 0,
    action: nameOf(PUSHES, row.pushAction),
    ref_type: nameOf(REFS, row.refType),
    commit_from: row.commitFrom,
    commit_to: row.commitTo,
    ref: row.ref,
    commit_title: row.commitTitle,
    ref_count: row.refCount,
  };
}

function presentNoteOf(
  event: EventRow,
  note: EventNoteRow,
  presentation: ResponseContext,
): NoteResponse | DiffNoteResponse {
  const times = { createdAt: new Date(note.createdAt), updatedAt: new Date(note.updatedAt) };
  const shown = presentNote(Object.assign({}, note, times), noteableOf(event, note), presentation);
  return note.line === null ? shown : Object.assign(shown, diffNote(note.sha ?? '', note.line));
}

/** v4 distinguishes comments on diff lines by type and position. */
function diffNote(
  sha: string,
  { path, line, type }: NonNullable<EventNoteRow['line']>,
): Pick<DiffNoteResponse, 'type' | 'commit_id' | 'position'> {
  return {
    type: 'DiffNote',
    commit_id: sha,
    position: {
      base_sha: null,
      start_sha: null,
      head_sha: sha,
      old_path: path,
      new_path: path,
      position_type: 'text',
      old_line: type === 'old' ? line : null,
      new_line: type === 'new' ? line : null,
    },
  };
}

function targetTypeOf({ targetType, note }: EventRow): TargetType | null {
  if (targetType === null) return null;
  return note?.line == null ? nameOf(TARGET_TYPES, targetType) : 'DiffNote';
}

function noteableOf(
  { projectId, noteableType, noteableId }: EventRow,
  note: EventNoteRow,
): Noteable {
  const kind = nameOf(NOTEABLES, noteableType);
  if (kind === 'commit') return { kind, id: null, iid: null, projectId, sha: note.sha ?? '' };
  const id = noteableId ?? 0;
  if (kind === 'snippet') return { kind, id, iid: null, projectId };
  return { kind, id, iid: note.noteableIid ?? 0, projectId };
}

function byNumber<Name extends string>(numbers: Record<Name, number>): ReadonlyMap<number, Name> {
  return new Map(Object.entries<number>(numbers).map(([name, number]) => [number, name as Name]));
}

function nameOf<Name>(names: ReadonlyMap<number, Name>, number: number | null): Name {
  const name = number === null ? undefined : names.get(number);
  if (name === undefined) throw new Error(`Unknown kind ${number}`);
  return name;
}

/** Returns the verb phrase of an event. */
function actionName({ action, targetType, pushAction }: EventRow): ActionName {
  const name = ACTIONS.get(action);
  if (name === undefined) throw new Error(`Unknown action ${action}`);
  if (name === 'pushed') return PUSH_NAMES[pushAction ?? PUSH_ACTIONS.pushed] ?? 'pushed to';
  if (name !== 'created' && name !== 'updated') return ACTION_NAMES[name];
  if (targetType === EVENT_TARGETS.wiki_page) return name;
  return name === 'created' && targetType === EVENT_TARGETS.project ? 'created' : 'opened';
}
