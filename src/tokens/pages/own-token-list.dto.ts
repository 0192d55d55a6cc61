import { TextParam } from '../../core/params/params.decorator.js';
import { TOKEN_STATES } from '../token.dto.js';

/** Parameters of the page of one's own tokens. */
export class OwnTokenListDto {
  /** Only tokens that work, or only those that do not. */
  @TextParam({ values: TOKEN_STATES }) state?: (typeof TOKEN_STATES)[number] | null;
}
