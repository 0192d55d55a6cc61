import type { VNode } from 'preact';
import { Button } from './components/button.js';
import { Badge, Card, DescriptionList } from './components/content.js';
import { CopyField } from './components/copy.js';
import { Form } from './components/form.js';
import { Item, ItemList } from './components/list.js';
import { CapacityBar, ProgressBar } from './components/meters.js';
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
