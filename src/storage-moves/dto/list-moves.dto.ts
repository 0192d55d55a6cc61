import { TextParam } from '../../core/params/params.decorator.js';
import { MOVE_STATES, type MoveState } from '../move-states.js';

/** Filters of the lists of moves; beyond what the API document names. */
export class ListMovesDto {
  @TextParam({ values: MOVE_STATES })
  state?: MoveState | null;

  @TextParam()
  source_storage_name?: string | null;

  @TextParam()
  destination_storage_name?: string | null;
}
