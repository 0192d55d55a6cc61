import { ListParam, TextParam } from '../../../core/params/params.decorator.js';

/** PUT of an alert: at least one of these. */
export class UpdateAlertDto {
  /** `triggered`, `acknowledged`, `resolved` or `ignored`. */
  @TextParam()
  status?: string | null;

  /** Who takes care of it, by id: an alert has one assignee, the first; an empty list clears it. */
  @ListParam({ of: 'integer', commaSeparated: true })
  assignee_ids?: number[] | null;

  /** The same by username; instead of `assignee_ids`. */
  @ListParam({ commaSeparated: true })
  assignee_usernames?: string[] | null;
}
