import { TextParam } from '../../core/params/params.decorator.js';
import { ListAllAuditEventsDto } from './list-audit-events.dto.js';

/** What the page with the audit trail is asked for. */
export class ListAuditPageDto extends ListAllAuditEventsDto {
  /** Only what this user did, by username: people know names, not ids. */
  @TextParam()
  author?: string | null;
}
