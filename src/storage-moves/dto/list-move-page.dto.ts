import { TextParam } from '../../core/params/params.decorator.js';
import { MOVE_KINDS, type MoveKind } from '../move-states.js';
import { ListMovesDto } from './list-moves.dto.js';

/** What the page with the moves is asked for. */
export class ListMovePageDto extends ListMovesDto {
  /** What has been moved; projects unless given. */
  @TextParam({ values: MOVE_KINDS })
  kind?: MoveKind | null;
}
