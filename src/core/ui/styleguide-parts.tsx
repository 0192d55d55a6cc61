import type { VNode } from 'preact';
import { Avatar } from './components/avatar.js';
import { Card, LabelChip } from './components/content.js';
import { CopyableCode } from './components/copy.js';
import { FilterBar } from './components/filter-bar.js';
import { SideField } from './components/form.js';
import { Icon, ICONS, type IconName } from './components/icon.js';

/** A filter bar with every kind of field, labels, and an attribute of a side bar. */
export function Filters({ path }: { path: string }): VNode {
  return (
    <>
      <FilterBar
        path={path}
        search=""
        kept={{ state: 'open' }}
        fields={[
          { name: 'assignee', label: 'Assignee', value: 'ada' },
          { name: 'label', label: 'Label', value: 'bug,checkout', isList: true },
          {
            name: 'severity',
            label: 'Severity',
            value: null,
            options: [{ value: 'high', label: 'High' }],
          },
        ]}
        sort={{ name: 'order', value: 'new', options: [{ value: 'new', label: 'Newest' }] }}
      />
      <SideField label="Labels">
        <span class="labels">
          <LabelChip label={{ name: 'bug', color: '#d73a31' }} href={path} />
          <LabelChip label={{ name: 'checkout', color: '#9b5fd0' }} href={path} />
        </span>
      </SideField>
    </>
  );
}

/** All icons, and avatars. */
export function Pictures(): VNode {
  return (
    <Card title="Icons and avatars">
      <ul class="flex flex-wrap gap-3">
        {(Object.keys(ICONS) as IconName[]).map((name) => (
          <li key={name} title={name}>
            <Icon name={name} />
          </li>
        ))}
      </ul>
      <div class="flex flex-wrap gap-2">
        {['Ada Lovelace', 'Grace Hopper', 'Mary Shelley', 'Jo', 'Émilie'].map((name, at) => (
          <Avatar key={name} name={name} owner={{ id: at, avatar: null }} />
        ))}
      </div>
      <CopyableCode label="Copy commit ID" value="2461733c49acd04b7b6abc82010efb02649807c7" />
    </Card>
  );
}
