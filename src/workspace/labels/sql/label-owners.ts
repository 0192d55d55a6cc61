import type { Viewer } from '../../../core/access/viewer.js';
import type { Conditions } from '../../../core/sql/conditions.js';
import { visibleGroupSql } from '../../groups/sql/group-list.js';
import type { ListGroupLabelsDto } from '../label.dto.js';
import { projectVisibility } from './label-counts.js';

/** The project or group that labels belong to. */
export type LabelOwner = { projectId: number } | { groupId: number };

/** The groups above a project, the group itself included. */
const GROUPS_OF_PROJECT = (project: string): string => `
  ARRAY(SELECT unnest(n.traversal_ids) FROM projects p JOIN namespaces n ON n.id = p.namespace_id
    WHERE p.id = ${project})`;

const GROUPS_ABOVE = (group: string): string =>
  `ARRAY(SELECT unnest(n.traversal_ids) FROM namespaces n WHERE n.id = ${group})`;

/** Returns the condition on the owners of labels `l` that a list asks for. */
export function ownersSql(
  where: Conditions,
  owner: LabelOwner,
  { viewer = null, filters = {} }: { viewer?: Viewer | null; filters?: ListGroupLabelsDto } = {},
): string {
  const withAncestors = filters.include_ancestor_groups !== false;
  if ('projectId' in owner) {
    const project = where.value(owner.projectId);
    const own = `l.project_id = ${project}`;
    return withAncestors ? `${own} OR l.group_id = ANY(${GROUPS_OF_PROJECT(project)})` : own;
  }
  const group = where.value(owner.groupId);
  const isBelow = (namespace: string): string =>
    `${namespace} IN (SELECT below.id FROM namespaces below
      WHERE below.traversal_ids @> ARRAY[${group}::bigint])`;
  const groups = withAncestors
    ? `l.group_id = ANY(${GROUPS_ABOVE(group)})`
    : `l.group_id = ${group}`;
  const parts = [groups];
  if (filters.include_descendant_groups === true) {
    const isKnown = viewer !== null && !viewer.admin;
    const visible = visibleGroupSql(viewer, isKnown ? where.value(viewer.id) : '');
    parts.push(`l.group_id IN (SELECT g.id FROM groups g JOIN namespaces n ON n.id = g.id
      WHERE NOT g.pending_delete AND ${isBelow('g.id')} AND (${visible}))`);
  }
  if (filters.only_group_labels === false) {
    const projects =
      filters.include_descendant_groups === true
        ? isBelow('p.namespace_id')
        : `p.namespace_id = ${group}`;
    parts.push(`l.project_id IN (SELECT p.id FROM projects p
      WHERE ${projects} AND NOT p.pending_delete AND (${projectVisibility(where, viewer)}))`);
  }
  return parts.join(' OR ');
}
