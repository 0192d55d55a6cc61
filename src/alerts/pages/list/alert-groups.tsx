import type { VNode } from 'preact';
import { counted } from '../../../core/ui/amounts.js';
import { Badge, Card } from '../../../core/ui/components/content.js';
import { Item, ItemList } from '../../../core/ui/components/item-list.js';
import { Sparkline } from '../../../core/ui/components/sparkline.js';
import { Time } from '../../../core/ui/components/time.js';
import { filledAddress } from '../../../core/ui/filled-address.js';
import { severityOf } from '../../alert-values.js';
import type { AlertGroupRow } from '../../sql/alert-groups.js';
import { SeverityBadge } from '../alert-status.js';
import type { AlertsQuery } from './alerts-query.js';

interface AlertGroupsProps {
  groups: readonly AlertGroupRow[];
  path: string;
  query: AlertsQuery;
}

/** Groups of alerts, each with the alerts of the last 24 hours and a link to its alerts. */
export function AlertGroups({ groups, path, query }: AlertGroupsProps): VNode {
  return (
    <Card flush>
      <ItemList label="Groups of alerts">
        {groups.map((group) => (
          <GroupLine key={group.name} group={group} path={path} query={query} />
        ))}
      </ItemList>
    </Card>
  );
}

function GroupLine({
  group,
  path,
  query,
}: Omit<AlertGroupsProps, 'groups'> & { group: AlertGroupRow }): VNode {
  const { name, alerts, triggered, events, severity, lastStartedAt, trend } = group;
  const chosen = query.group === 'title' ? { title: name } : { environment: name ?? 'None' };
  const recent = trend.reduce((sum, count) => sum + count, 0);
  return (
    <Item
      title={
        <>
          <SeverityBadge severity={severityOf(severity)} />
          <a class="wrap-anywhere" href={filledAddress(path, { ...query, group: null, ...chosen })}>
            {name ?? 'No environment'}
          </a>
        </>
      }
      chips={triggered > 0 && <Badge tone="danger">{`${triggered} firing`}</Badge>}
    >
      <div class="item-facts">
        <span class="max-sm:hidden">
          <Sparkline
            values={trend}
            label={`${counted(recent, 'alert')} started in the last 24 hours`}
          />
        </span>
        <span class="xl:w-20 xl:justify-end">{counted(alerts, 'alert')}</span>
        <span class="xl:w-24 xl:justify-end">{counted(events, 'event')}</span>
        <span class="xl:w-24">
          <Time value={lastStartedAt} />
        </span>
      </div>
    </Item>
  );
}
