import type { VNode } from 'preact';
import { Avatar } from './components/avatar.js';
import { Button } from './components/button.js';
import { Badge, Card, DescriptionList, LabelChip } from './components/content.js';
import { CopyableCode, CopyField } from './components/copy.js';
import { FilterBar } from './components/filter-bar.js';
import { Form, SideField } from './components/form.js';
import { Icon, ICONS, type IconName } from './components/icon.js';
import { Item, ItemList } from './components/list.js';
import { CapacityBar, ProgressBar } from './components/small-charts.js';
import { Time } from './components/time.js';
import { TrendChart } from './components/trend-chart.js';

/** Bars, a chart, the list that it counts, and actions on selected rows. */
export function ChartsAndLists({ csrfToken }: { csrfToken: string }): VNode {
  const bars = Array.from({ length: 24 }, (_, hour) => ({
    label: `${hour}:00`,
    tick: hour % 3 === 0 ? `${hour}:00` : null,
    values: [hour % 7 === 0 ? 3 : 0, (hour * 5) % 11],
  }));
  return (
    <>
      <Bars />
      <TrendChart
        id="trend"
        title="Alerts per hour"
        span="Last 24 hours"
        description="Alerts by severity"
        unit="Hour (UTC)"
        series={[
          { label: 'Critical', fill: 'fill-chart-red' },
          { label: 'Low', fill: 'fill-chart-blue' },
        ]}
        bars={bars}
      />
      <Card flush>
        <ItemList label="Alerts">
          {['Disk is nearly full', 'Certificate ends soon'].map((title, index) => (
            <Item
              key={title}
              select={
                <input
                  type="checkbox"
                  form="bulk"
                  name="iids[]"
                  value={index}
                  checked={index === 0}
                  aria-label={`Select ${title}`}
                />
              }
              title={<a href="/-/styleguide">{title}</a>}
            >
              3 events
            </Item>
          ))}
        </ItemList>
      </Card>
      <Form
        id="bulk"
        class="bulk-bar"
        action="/-/styleguide"
        csrfToken={csrfToken}
        label="Selected alerts"
      >
        <Button variant="outline" size="small">
          Resolve
        </Button>
      </Form>
    </>
  );
}

function Bars(): VNode {
  return (
    <Card title="Storages" actions={<Badge>2 storages</Badge>}>
      <DescriptionList
        items={[
          { label: 'default', value: <CapacityBar value={95} max={100} label="default" /> },
          { label: 'storage2', value: <CapacityBar value={20} max={100} label="storage2" /> },
          { label: 'Move', value: <ProgressBar value={40} max={100} label="Move of guild/hall" /> },
          { label: 'Finished', value: <Time value="2026-01-31" /> },
          { label: 'Error', value: null },
        ]}
      />
      <CopyField label="Clone address" value="https://example.com/guild/hall.git" />
    </Card>
  );
}

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
