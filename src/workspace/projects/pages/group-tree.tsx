import type { VNode } from 'preact';
import { Avatar } from '../../../core/ui/components/avatar.js';
import { Badge } from '../../../core/ui/components/content.js';
import { Time } from '../../../core/ui/components/time.js';
import { VisibilityBadge } from '../../../identity/members/pages/visibility.js';
import type { GroupRow } from '../../groups/groups.repository.js';
import { fullPathOf, type ProjectRow } from '../projects.repository.js';

/** A group with the visible subgroups and projects in it. */
interface GroupTree {
  group: GroupRow;
  /** Name relative to the group above. */
  label: string;
  groups: GroupTree[];
  projects: ProjectRow[];
}

/**
 * Arranges groups and projects below `root`. Each is shown in the nearest group above it that is
 * part of the list: the groups between can be invisible to the viewer.
 */
export function groupTree(
  root: GroupRow,
  { groups, projects }: { groups: readonly GroupRow[]; projects: readonly ProjectRow[] },
): GroupTree {
  const nodeOf = (group: GroupRow): GroupTree => ({ group, label: '', groups: [], projects: [] });
  const top = nodeOf(root);
  const below = groups.map(nodeOf);
  const nodes = new Map([top, ...below].map((node) => [node.group.fullPath, node] as const));
  const nearest = (path: string): GroupTree => {
    const above = path.slice(0, Math.max(0, path.lastIndexOf('/')));
    return above === '' ? top : (nodes.get(above) ?? nearest(above));
  };
  for (const node of below) {
    const parent = nearest(node.group.fullPath);
    node.label = node.group.fullName.slice(parent.group.fullName.length + ' / '.length);
    parent.groups.push(node);
  }
  for (const project of projects) nearest(fullPathOf(project)).projects.push(project);
  return top;
}

interface TreeProps {
  tree: GroupTree;
  /** Shows the content of subgroups. */
  open: boolean;
}

/** Subgroups and projects of a group; subgroups expand without a script. */
export function GroupTreeCard(props: TreeProps): VNode {
  return (
    <section class="card tree" aria-label="Subgroups and projects">
      <Branch {...props} />
    </section>
  );
}

function Branch({ tree, open }: TreeProps): VNode {
  return (
    <ul>
      {tree.groups.map((node) => (
        <li key={`g${node.group.id}`}>
          <GroupNode node={node} />
          {node.groups.length + node.projects.length > 0 && (
            <details open={open}>
              <summary>
                <span class="sr-only">{`Content of ${node.label}`}</span>
              </summary>
              <Branch tree={node} open={open} />
            </details>
          )}
        </li>
      ))}
      {tree.projects.map((project) => (
        <li key={`p${project.id}`}>
          <ProjectNode project={project} />
        </li>
      ))}
    </ul>
  );
}

function GroupNode({ node: { group, label, ...content } }: { node: GroupTree }): VNode {
  const counts = [
    countOf(content.groups.length, 'subgroup'),
    countOf(content.projects.length, 'project'),
  ].filter((text) => text !== null);
  return (
    <div class="item">
      <div class="item-title">
        <Avatar name={group.name} owner={group} kind="group" />
        <a href={`/groups/${group.fullPath}`}>{label}</a>
        <VisibilityBadge level={group.visibility} />
      </div>
      <div class="item-detail">{counts.length === 0 ? 'Empty' : counts.join(' · ')}</div>
    </div>
  );
}

function ProjectNode({ project }: { project: ProjectRow }): VNode {
  return (
    <div class="item">
      <div class="item-title">
        <Avatar name={project.name} owner={project} kind="project" />
        <a href={`/${fullPathOf(project)}`}>{project.name}</a>
        <VisibilityBadge level={project.visibility} />
        {project.archived && <Badge tone="warning">Archived</Badge>}
      </div>
      <div class="item-detail">
        <span class="max-sm:hidden">Updated </span>
        <Time value={project.lastActivityAt} />
      </div>
    </div>
  );
}

function countOf(count: number, noun: string): string | null {
  if (count === 0) return null;
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
