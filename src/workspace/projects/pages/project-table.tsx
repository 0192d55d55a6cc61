import type { VNode } from 'preact';
import { Avatar } from '../../../core/ui/components/avatar.js';
import { Badge, Card } from '../../../core/ui/components/content.js';
import { Cell, Table } from '../../../core/ui/components/table.js';
import { Time } from '../../../core/ui/components/time.js';
import { VisibilityBadge } from '../../../identity/members/pages/visibility.js';
import { roleName } from '../../../identity/members/roles.js';
import { ROLE_COLUMN } from '../../groups/pages/group-table.js';
import { fullPathOf, type ProjectRow } from '../projects.repository.js';

const COLUMNS = [
  { label: 'Project' },
  { label: 'Visibility' },
  ROLE_COLUMN,
  { label: 'Last activity' },
];

/** Projects with the viewer's role in each. */
export function ProjectTable({
  caption,
  projects,
}: {
  caption: string;
  projects: ProjectRow[];
}): VNode {
  const showsRole = projects.some(({ accessLevel }) => accessLevel > 0);
  const columns = COLUMNS.filter((column) => showsRole || column !== ROLE_COLUMN);
  return (
    <Card flush>
      <Table caption={caption} columns={columns} stacked>
        {projects.map((project) => (
          <ProjectTableRow key={project.id} {...{ project, showsRole }} />
        ))}
      </Table>
    </Card>
  );
}

function ProjectTableRow({
  project,
  showsRole,
}: {
  project: ProjectRow;
  showsRole: boolean;
}): VNode {
  return (
    <tr>
      <Cell lead>
        <Avatar name={project.name} owner={project} kind="project" />
        <a href={`/${fullPathOf(project)}`}>
          {`${project.namespace.fullName} / `}
          <span class="font-semibold">{project.name}</span>
        </a>
        {project.description && <small>{project.description}</small>}
      </Cell>
      <Cell>
        <span class="inline-flex flex-wrap gap-1">
          <VisibilityBadge level={project.visibility} />
          {project.archived && <Badge tone="warning">Archived</Badge>}
        </span>
      </Cell>
      {showsRole && <Cell>{project.accessLevel === 0 ? '' : roleName(project.accessLevel)}</Cell>}
      <Cell label="Updated">
        <Time value={project.lastActivityAt} />
      </Cell>
    </tr>
  );
}
