import type { AuditEventResponse } from '../../src/instance/audit/audit-event.presenter.js';
import type { ApiClient } from '../support/api-client.js';

/** Reads the audit log as an administrator. */
export class Trail {
  constructor(private readonly admin: ApiClient) {}

  /** The newest entries first. */
  async of(type: string, id?: number): Promise<AuditEventResponse[]> {
    const entity = id === undefined ? '' : `&entity_id=${id}`;
    const answer = await this.admin.get(`/audit_events?entity_type=${type}${entity}`).expect(200);
    return answer.body as AuditEventResponse[];
  }

  async newest(type: string, id?: number): Promise<AuditEventResponse> {
    const [event] = await this.of(type, id);
    if (event === undefined) throw new Error(`No audit event of ${type} ${id}`);
    return event;
  }

  /** Returns the newest event without IDs, names and times. */
  async told(type: string, id?: number): Promise<object> {
    const { event_name, author_id, details } = await this.newest(type, id);
    const { changes, facts, target_type, target_id } = details;
    return { event_name, author_id, target: `${target_type} ${target_id}`, changes, facts };
  }

  /** Names, changes and facts of all entries, the oldest first. */
  async story(type: string, id: number): Promise<unknown[]> {
    const events = (await this.of(type, id)).reverse();
    return events.map(({ event_name, details: { changes, facts } }) => [
      event_name,
      changes,
      facts,
    ]);
  }
}
