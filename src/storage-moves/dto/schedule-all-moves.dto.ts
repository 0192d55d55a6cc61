import { BooleanParam, TextParam } from '../../core/params/params.decorator.js';

/** Which storage shall be emptied; the names are checked against the configured ones later. */
export class ScheduleAllMovesDto {
  /** The storage to empty; required. */
  @TextParam()
  source_storage_name?: string | null;

  /** Where everything goes; absent = drawn by weight for each. */
  @TextParam()
  destination_storage_name?: string | null;

  /** Only tells what would be moved. */
  @BooleanParam()
  dry_run?: boolean | null;
}
