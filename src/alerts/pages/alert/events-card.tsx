import type { ComponentChildren, VNode } from 'preact';
import { countText, counted } from '../../../core/ui/amounts.js';
import { Card } from '../../../core/ui/components/content.js';
import { Time } from '../../../core/ui/components/time.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { canInProject } from '../../../identity/members/abilities.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import type { AlertDeliveryRow } from '../../alert-deliveries.repository.js';
import type { FoundAlert } from '../../sql/alert-list.js';
import { integrationsPath } from '../alert-paths.js';
import { EventTrend } from '../alert-status.js';
import { SOURCE_LABELS } from '../integrations/deliveries.page.js';

interface EventsCardProps {
  pageContext: Pick<PageContext, 'viewer'>;
  project: ProjectRow;
  alert: FoundAlert;
  deliveries: AlertDeliveryRow[];
  /** Events in each of the last 24 hours. */
  trend: readonly number[];
}

/** Timeline of the alert's events: the latest deliveries, its start and its end. */
export function EventsCard(props: EventsCardProps): VNode {
  const { pageContext, project, alert, deliveries, trend } = props;
  const mayOpen = canInProject('admin_alert_integration', {
    ...project,
    viewer: pageContext.viewer,
  });
  const path = integrationsPath(project);
  const stored = deliveries.reduce((sum, { calls }) => sum + calls, 0);
  const more = alert.eventCount - stored;
  return (
    <Card title={`Events (${countText(alert.eventCount)})`}>
      {trend.some((events) => events > 0) && (
        <div>
          <EventTrend trend={trend} wide />
          <p class="text-muted-foreground flex justify-between text-xs">
            <span>24 hours ago</span>
            <span>Now</span>
          </p>
        </div>
      )}
      {deliveries.length === 0 && <p class="text-muted-foreground">No deliveries stored</p>}
      <ol class="grid gap-1.5" aria-label="Events">
        {alert.endedAt !== null && <Step time={alert.endedAt}>Ended</Step>}
        {runsOf(deliveries).map(({ id, integrationId, source, calls, createdAt }) => (
          <Step key={id} time={createdAt}>
            {mayOpen ? (
              <a class="prose-link" href={`${path}/${integrationId}/deliveries/${id}`}>
                {SOURCE_LABELS[source]}
              </a>
            ) : (
              SOURCE_LABELS[source]
            )}
            {calls > 1 && ` × ${countText(calls)}`}
          </Step>
        ))}
        {deliveries.length > 0 && more > 0 && (
          <li class="text-muted-foreground">{counted(more, 'earlier event')}</li>
        )}
        <Step time={alert.startedAt}>Started</Step>
      </ol>
    </Card>
  );
}

/** Returns one delivery, the latest, for each run of the same source, with the calls of all. */
function runsOf(deliveries: readonly AlertDeliveryRow[]): AlertDeliveryRow[] {
  const runs: AlertDeliveryRow[] = [];
  for (const delivery of deliveries) {
    const run = runs.at(-1);
    if (run?.source === delivery.source) run.calls += delivery.calls;
    else runs.push({ ...delivery });
  }
  return runs;
}

function Step({ time, children }: { time: Date; children: ComponentChildren }): VNode {
  return (
    <li class="flex items-baseline gap-2">
      <span class="bg-input size-1.5 shrink-0 -translate-y-0.5 rounded-full" aria-hidden="true" />
      <span class="min-w-0 grow">{children}</span>
      <span class="text-muted-foreground">
        <Time value={time} />
      </span>
    </li>
  );
}
