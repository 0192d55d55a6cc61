import { BooleanParam, TextParam } from '../../core/params/params.decorator.js';

/** Where one container shall move; without destination it is drawn by weight. */
export class ScheduleMoveDto {
  /** Where it goes; absent = drawn by weight. */
  @TextParam()
  destination_storage_name?: string | null;

  /** Only tells what the move would do. */
  @BooleanParam()
  dry_run?: boolean | null;
}
