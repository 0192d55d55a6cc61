import { EVENT_NOTEABLES, EVENT_TARGETS } from '../../core/activity/event.entity.js';
import { encodePath } from '../../core/ui/addresses.js';
import type { NamedProject } from '../../workspace/projects/projects.repository.js';
import type { EventRow } from '../visible-events.repository.js';
import type { FeedEvent } from './feed-reader.service.js';

/** Path prefixes of numbered items. */
const LISTS: Partial<Record<number, string>> = {
  [EVENT_TARGETS.issue]: 'issues',
  [EVENT_TARGETS.merge_request]: 'merge_requests',
  [EVENT_TARGETS.milestone]: 'milestones',
};

/** Page of what the event is about; null when there is none, or no more. */
export function targetAddress({ event, project }: FeedEvent): string | null {
  const { targetType, targetId, target } = event;
  if (targetType === EVENT_TARGETS.project) return `/${project.fullPath}`;
  if (targetType === EVENT_TARGETS.note) return noteAddress(event, project);
  if (targetId === null || target?.iid === undefined) return null;
  return `/${project.fullPath}/-/${LISTS[targetType ?? 0] ?? ''}/${target.iid}`;
}

function noteAddress(
  { note, noteableType, noteableId }: EventRow,
  project: NamedProject,
): string | null {
  if (note === null) return null;
  const base = `/${project.fullPath}/-`;
  const anchor = `#note_${note.id}`;
  if (noteableType === EVENT_NOTEABLES.commit)
    return commitAddress(project, note.sha ?? '') + anchor;
  if (noteableType === EVENT_NOTEABLES.snippet) return `${base}/snippets/${noteableId}${anchor}`;
  const list = noteableType === EVENT_NOTEABLES.issue ? 'issues' : 'merge_requests';
  return `${base}/${list}/${note.noteableIid}${anchor}`;
}

/** Commits of a branch or tag. */
export function refAddress({ fullPath }: NamedProject, ref: string): string {
  return `/${fullPath}/-/commits/${encodePath(ref)}`;
}

export function commitAddress({ fullPath }: NamedProject, sha: string): string {
  return `/${fullPath}/-/commit/${sha}`;
}

/** Returns the path of the comparison that shows a push's changes. */
export function comparisonAddress(
  { fullPath }: NamedProject,
  { from, to }: { from: string; to: string },
): string {
  return `/${fullPath}/-/compare?${new URLSearchParams({ from, to }).toString()}`;
}
