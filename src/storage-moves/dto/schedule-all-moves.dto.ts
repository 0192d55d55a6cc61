import { BooleanParam, TextParam } from '../../core/params/params.decorator.js';

/** Which storage shall be emptied; the names are checked against the configured ones later. */
export class ScheduleAllMovesDto {
  @TextParam()
  source_storage_name?: string | null;

  @TextParam()
  destination_storage_name?: string | null;

  /** Only tells what would be moved. */
  @BooleanParam()
  dry_run?: boolean | null;
}
