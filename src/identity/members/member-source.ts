import type { NewEvent } from '../../core/activity/event.entity.js';
import type { AuditedEntity } from '../../core/audit/audit.service.js';

/** The project or group that has members of its own. */
export interface SourceKey {
  kind: 'project' | 'group';
  id: number;
}

/** The project or group whose memberships are meant; its namespace gives the inherited ones. */
export interface MemberSource extends SourceKey {
  /** The project's namespace; a group is its own. */
  namespaceId: number;
}

/** Returns a group as a source of memberships. */
export function groupSource({ id }: { id: number }): MemberSource {
  return { kind: 'group', id, namespaceId: id };
}

/** Returns a project as a source of memberships. */
export function projectSource({ id, namespaceId }: Omit<MemberSource, 'kind'>): MemberSource {
  return { kind: 'project', id, namespaceId };
}

/** Column of `members` that points at a source of this kind. */
export const SOURCE_COLUMNS: Record<MemberSource['kind'], string> = {
  project: 'project_id',
  group: 'namespace_id',
};

/** Returns the entity whose audit log covers memberships in the source, and its access tokens. */
export function trailOfSource({ kind, id }: SourceKey): AuditedEntity {
  return { type: kind === 'project' ? 'Project' : 'Group', id };
}

/** True for memberships that still count: they end with the day before `expires_at` (UTC). */
export const ACTIVE_MEMBERSHIP =
  "(m.expires_at IS NULL OR m.expires_at > (now() AT TIME ZONE 'UTC')::date)";

/** Events of the member, not of who added or removed them; groups have none (API doc, Events). */
export function membershipEvents(
  action: 'joined' | 'left' | 'expired',
  userId: number,
  sources: readonly SourceKey[],
): NewEvent[] {
  return sources
    .filter(({ kind }) => kind === 'project')
    .map(({ id }) => {
      return { projectId: id, authorId: userId, action, target: { type: 'project', id } };
    });
}
