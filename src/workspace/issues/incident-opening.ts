import type { EntityManager } from 'typeorm';
import type { Activity } from '../../core/activity/activity.service.js';
import type { NewEvent } from '../../core/activity/new-event.js';
import { insertIncidents, type NewIncident, type OpenedIncident } from './sql/incidents.js';

/** Opens incidents and records an event for each; returns them in the order given. */
export async function openIncidents(
  tx: EntityManager,
  incidents: readonly NewIncident[],
  activity: Activity,
): Promise<OpenedIncident[]> {
  if (incidents.length === 0) return [];
  const opened = await insertIncidents(tx, incidents);
  await activity.record(tx, openingEvents(incidents, opened));
  return opened;
}

function openingEvents(
  incidents: readonly NewIncident[],
  opened: readonly OpenedIncident[],
): NewEvent[] {
  return incidents.flatMap(({ projectId, authorId }, position) => {
    const incident = opened[position];
    if (incident === undefined) return [];
    const target = { type: 'issue', id: incident.id } as const;
    return [{ projectId, authorId, action: 'created', target }];
  });
}
