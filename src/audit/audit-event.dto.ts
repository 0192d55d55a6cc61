import { AUDITED_ENTITIES, type AuditedEntityType } from '../core/audit/audit.service.js';
import { InvalidParamsError } from '../core/errors.js';
import { ListByIdDto } from '../core/pagination/list-by-id.dto.js';
import { DateTimeParam, IntegerParam, TextParam } from '../core/params/params.decorator.js';

/** GET …/audit_events of a group or project */
export class ListAuditEventsDto extends ListByIdDto {
  /** Only what happened then or later. */
  @DateTimeParam()
  created_after?: Date | null;

  /** Only what happened then or earlier. */
  @DateTimeParam()
  created_before?: Date | null;

  /** Only what this user did. */
  @IntegerParam()
  author_id?: number | null;
}

/** GET /audit_events */
export class ListAllAuditEventsDto extends ListAuditEventsDto {
  /** Only trails of this kind. */
  @TextParam({ values: AUDITED_ENTITIES })
  entity_type?: AuditedEntityType | null;

  /** Only the trail of this user, group or project; needs `entity_type`. */
  @IntegerParam()
  entity_id?: number | null;
}

/** GET /admin/audit_logs */
export class ListAuditPageDto extends ListAllAuditEventsDto {
  /** Only what this user did, by username. */
  @TextParam()
  author?: string | null;
}

/** Throws InvalidParamsError for an `entity_id` without `entity_type`. */
export function assertEntityFilter({
  entity_type: type = null,
  entity_id: id = null,
}: ListAllAuditEventsDto): void {
  if (type === null && id !== null) throw new InvalidParamsError(['entity_type is missing']);
}
