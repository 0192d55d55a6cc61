import type { VNode } from 'preact';
import { Avatar } from '../../../core/ui/components/avatar.js';
import { Card } from '../../../core/ui/components/content.js';
import { Cell, Table } from '../../../core/ui/components/table.js';
import { Time } from '../../../core/ui/components/time.js';
import { roleName } from '../../../identity/members/roles.js';
import { VisibilityBadge } from '../../../identity/members/pages/visibility.js';
import type { GroupRow } from '../groups.repository.js';

/** The column that only those with a role in one of the rows see. */
export const ROLE_COLUMN = { label: 'Your role' };

const COLUMNS = [{ label: 'Group' }, { label: 'Visibility' }, ROLE_COLUMN, { label: 'Created' }];

/** Groups with the viewer's role in each. */
export function GroupTable({ caption, groups }: { caption: string; groups: GroupRow[] }): VNode {
  const showsRole = groups.some(({ accessLevel }) => accessLevel > 0);
  const columns = COLUMNS.filter((column) => showsRole || column !== ROLE_COLUMN);
  return (
    <Card flush>
      <Table caption={caption} columns={columns} stacked>
        {groups.map((group) => (
          <tr key={group.id}>
            <Cell lead>
              <Avatar name={group.name} owner={group} kind="group" />
              <a href={`/groups/${group.fullPath}`}>
                {group.fullName.slice(0, -group.name.length)}
                <span class="font-semibold">{group.name}</span>
              </a>
              {group.description !== '' && <small>{group.description}</small>}
            </Cell>
            <Cell>
              <VisibilityBadge level={group.visibility} />
            </Cell>
            {showsRole && <Cell>{group.accessLevel === 0 ? '' : roleName(group.accessLevel)}</Cell>}
            <Cell label="Created">
              <Time value={group.createdAt} />
            </Cell>
          </tr>
        ))}
      </Table>
    </Card>
  );
}
