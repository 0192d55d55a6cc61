import { AUDITED_ENTITIES, type AuditedEntityType } from '../../core/audit/audit.service.js';
import { InvalidParamsError } from '../../core/errors.js';
import { ListByIdDto } from '../../core/pagination/keyset.js';
import { DateTimeParam, IntegerParam, TextParam } from '../../core/params/params.decorator.js';

/** GET …/audit_events of a group or project */
export class ListAuditEventsDto extends ListByIdDto {
  /** Only events at or after this time. */
  @DateTimeParam()
  created_after?: Date | null;

  /** Only events at or before this time. */
  @DateTimeParam()
  created_before?: Date | null;

  /** Only events of this author. */
  @IntegerParam()
  author_id?: number | null;
}

/** GET /audit_events */
export class ListAllAuditEventsDto extends ListAuditEventsDto {
  /** Only events of this type of entity. */
  @TextParam({ values: AUDITED_ENTITIES })
  entity_type?: AuditedEntityType | null;

  /** Only events of this user, group or project; requires `entity_type`. */
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
